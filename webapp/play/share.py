"""The text that a player shares after a solve: the same in every theme, and it gives no digit away."""

from __future__ import annotations

from webapp.process.words import comma, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text, level_name


def share_text(
    name: str,
    level: int,
    *,
    elapsed_ms: int | None,
    hints: int,
    checks: int = 0,
    assisted: bool = False,
    rank: tuple[int, int] | None = None,
) -> str:
    """`Ninefold Sudoku #214 (Hard) 7:42, no hints, rank 31 of 410`.

    name: what the puzzle is called, such as `#214` for a daily and `214` for one of the bank.
    elapsed_ms: the time; None for a player who wants to see none. checks: how often a check was asked for.
    assisted: whether there was help, of whatever kind.
    rank: the place and among how many, where there is one.
    """
    title = _("Ninefold Sudoku %(name)s (%(level)s)", name=name, level=level_name(level))
    unhinted = _("help used") if assisted else _("no hints")
    facts = [ngettext("%(num)s hint", "%(num)s hints", hints) if hints else unhinted]
    if checks:
        facts.append(ngettext("%(num)s check", "%(num)s checks", checks))
    if rank is not None:
        facts.append(_("rank %(place)s of %(count)s", place=rank[0], count=rank[1]))
    time = "" if elapsed_ms is None else f" {clock_text(elapsed_ms)}"
    return comma().join([title + time, *facts])
