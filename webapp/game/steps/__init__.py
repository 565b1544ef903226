"""How steps are worded and drawn: names, and plain values for templates/game/steps/.

Made from the facts of an engine.Step alone. The sentences are in the templates.
"""

from webapp.game.steps.names import technique_name
from webapp.game.steps.overlay import Overlay
from webapp.game.steps.view import StepView

__all__ = ["Overlay", "StepView", "technique_name"]
