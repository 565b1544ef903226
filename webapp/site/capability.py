"""The general pages: home, guide, pictures to share, health and metrics."""

from __future__ import annotations

from webapp.capability import Capability, Link
from webapp.identity import failures
from webapp.process.jobs import UPKEEP, Job, Retention
from webapp.process.words import gettext as _
from webapp.site import cards, commands, guide, health, home, metrics, pages
from webapp.site.storage import pruning
from webapp.web import answers

CAPABILITY = Capability(
    key="site",
    pages=(home.bp, guide.bp),
    blueprints=(pages.bp, cards.bp, health.bp, metrics.bp, answers.bp),
    public=(
        "guide.about",
        "guide.keys",
        "guide.privacy",
        "guide.rules",
        "home.show",
    ),
    links=(
        Link("main", "home.show", lambda: _("Today"), position=1, icon="today"),
        Link("footer", "guide.keys", lambda: _("Help"), position=2),
        Link("about", "guide.rules", lambda: _("Rules"), position=3),
        Link("footer", "guide.about", lambda: _("About"), position=4),
        Link("about", "guide.privacy", lambda: _("Privacy"), position=5),
    ),
    jobs=(Job("prune", UPKEEP, pruning.run),),
    retention=(
        *pruning.RULES,
        Retention(
            "failures of background work",
            f"{failures.KEPT.days} days after the last",
            failures.sweep,
        ),
    ),
    commands=commands.COMMANDS,
)
