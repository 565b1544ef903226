"""Names of steps, and plain values for templates/game/steps/.

Computed from an engine.Step alone. The sentences are in the templates, the drawing is in engine.drawing.
"""

from engine.drawing import Overlay, struck
from webapp.game.steps.names import technique_name
from webapp.game.steps.parts import Removal, removals_of
from webapp.game.steps.view import StepView

__all__ = ["Overlay", "Removal", "StepView", "removals_of", "struck", "technique_name"]
