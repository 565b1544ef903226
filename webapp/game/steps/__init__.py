"""How steps are worded: names, and plain values for templates/game/steps/.

Made from the facts of an engine.Step alone. The sentences are in the templates, the drawing comes from
engine.drawing.
"""

from engine.drawing.overlay import Overlay, struck
from webapp.game.steps.names import technique_name
from webapp.game.steps.view import Removal, StepView, removals_of

__all__ = ["Overlay", "Removal", "StepView", "removals_of", "struck", "technique_name"]
