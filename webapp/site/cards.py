"""Pictures for sharing and link previews: of a puzzle, a daily, a player, and one's own solve.

None shows a digit of a solution, and none of a daily shows a given: those are released to players one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response

import engine
from webapp.bank import offer
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DailyView, StreakView, tells_times
from webapp.game import tour
from webapp.game.steps.names import technique_name
from webapp.models import Status
from webapp.people import profile as profiles
from webapp.play import play
from webapp.play.views import AttemptView
from webapp.process.clock import now
from webapp.process.errors import NotFound
from webapp.process.words import comma, format_date, ngettext, speaking
from webapp.process.words import gettext as _
from webapp.site import drawing
from webapp.web.auth import current_player_id
from webapp.web.i18n import about_text, clock_text, level_name
from webapp.web.inputs import read_day
from webapp.web.preferences import choice

bp = Blueprint("cards", __name__)

AN_HOUR = 3600  # seconds
Words = tuple[str, tuple[str, ...]]  # the title and the smaller lines of a card


@bp.get("/puzzles/<int:puzzle_id>/card.png")
def of_puzzle(puzzle_id: int) -> Response:
    """Draw a puzzle of the bank, with its givens if pages show them, or a daily without."""
    entry = dailies.with_puzzle(puzzle_id, None, now())
    if entry is not None:
        return _png(_of_daily(DailyView(entry)))
    puzzle = offer.puzzle_of(puzzle_id, Status.APPROVED)
    givens = puzzle.givens if offer.on_show(puzzle) else ""

    def words() -> Words:
        title = _("%(level)s puzzle %(number)s", level=level_name(puzzle.level), number=puzzle.id)
        return title, ((about_text(puzzle.expected_seconds),) if puzzle.expected_seconds else ())

    return _png(drawing.card(*_written(words), level=puzzle.level, givens=givens))


@bp.get("/daily/<text>/<int:level>/card.png")
def of_daily(text: str, level: int) -> Response:
    """Draw a released daily."""
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    # Not `released`: viewing a past day must not take a puzzle from the bank.
    entries = dailies.day_entries(day, None, now())
    entry = next((entry for entry in entries if entry.daily.level == level), None)
    if entry is None:
        raise NotFound(_("There’s no daily at this level that day."))
    return _png(_of_daily(DailyView(entry, timed=tells_times(entries))))


def _of_daily(daily: DailyView) -> bytes:
    def words() -> Words:
        expected = (about_text(daily.expected_seconds),) if daily.expected_seconds else ()
        return daily.title, (format_date(daily.date, "EEEE, MMMM d"), *expected)

    return drawing.card(*_written(words), level=daily.level)


def _written(words: Callable[[], Words]) -> Words:
    """Return the words of a card in the reader's language, or in English if no font here has its letters."""
    title, lines = words()
    if all(map(drawing.can_write, (title, *lines))):
        return title, lines
    with speaking(None):
        return words()


@bp.get("/players/<name>/card.png")
def of_player(name: str) -> Response:
    """Draw a player with a public page."""
    found = profiles.profile(name, None, as_others=True)
    solves = len(found.solves)
    streak = StreakView(streaks.of(found.player.id, now()), now())
    shown = found.player.name or ""

    def words() -> Words:
        lines = [ngettext("One puzzle solved without help", "%(num)s puzzles solved without help", solves)]
        if streak.current:
            lines.append(streak.title)
        return (shown if drawing.can_write(shown) else _("A player")), tuple(lines)

    return _png(drawing.card(*_written(words)))


@bp.get("/attempts/<attempt_id>/card.png")
def of_attempt(attempt_id: str) -> Response:
    """Draw one's own solve. Raises NotFound for others' games and for unfinished ones."""
    game = play.game(current_player_id(), attempt_id, now())
    if game.state != "solved":
        raise NotFound(_("This game isn’t finished yet."))
    solve = AttemptView(game)
    rank = solve.place.rank_of_day if solve.place is not None else None

    def words() -> Words:
        facts = [_("help used") if solve.assisted else _("no hints")]
        if rank is not None:
            facts.append(_("rank %(place)s of %(count)s", place=rank[0], count=rank[1]))
        return solve.title, (comma().join(facts),)

    time = "" if choice("timer") == "off" else clock_text(solve.elapsed_ms)
    return _png(drawing.card(*_written(words), level=solve.level, time=time))


# Pages without a card of their own: the name of the card they share, and the endpoints that show it.
_PAGES: Final = {"races": "races.", "leaderboard": "leaderboard.", "learn": "lessons."}


def card_of(endpoint: str, values: dict[str, str] | None) -> str:
    """Return the name of the card for a page; empty for one that nobody else can open."""
    values = values or {}
    if "attempt_id" in values or endpoint.startswith(("admin.", "accounts.", "recovery.")):
        return ""
    key = values.get("key", "")
    if key in engine.TECHNIQUES:
        return key
    return next((name for name, start in _PAGES.items() if endpoint.startswith(start)), "home")


bp.add_app_template_global(card_of, "card_of")


@bp.get("/cards/<name>.png")
def of_page(name: str) -> Response:
    """Draw the card of a public page, or of a technique's lesson."""

    def words() -> Words:
        if name in engine.TECHNIQUES:
            return technique_name(name), (_("Learn"),)
        pages: dict[str, Words] = {
            "home": (
                _("Sudoku"),
                (_("The same Sudoku puzzles for everyone, every day, with a fair leaderboard."),),
            ),
            "races": (_("Races"), ()),
            "leaderboard": (_("Leaderboard"), (_("Today’s dailies"),)),
            "learn": (_("Learn"), ()),
        }
        if name not in pages:
            raise NotFound(_("We couldn’t find that page. Maybe one of these helps."))
        return pages[name]

    level = engine.TECHNIQUES[name].tier if name in engine.TECHNIQUES else 0
    return _png(drawing.card(*_written(words), level=level, givens=tour.GIVENS if name == "home" else ""))


def _png(picture: bytes) -> Response:
    """Respond with a picture, or 304 if the browser has it."""
    answer = Response(picture, mimetype="image/png")
    answer.add_etag()
    # The response may carry a session's cookie
    answer.headers["Cache-Control"] = f"private, max-age={AN_HOUR}"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites may embed it
    return answer.make_conditional(request)
