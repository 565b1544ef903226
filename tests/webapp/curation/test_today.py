"""Today: the puzzles that are out, what waits for a person, the acts with their undo, verdicts and votes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, play
from tests.webapp.statements import one
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.bank import votes
from webapp.competition.daily import schedule
from webapp.models import Attempt, Peek, Player, PuzzleVote, Standing
from webapp.process.database import db, write_tx


def labels(curator: Curator) -> list[str]:
    """Return what waits on Today, by kind."""
    assert curator.get("/admin/").status_code == 200
    return [one.text for one in curator.page.select(".waiting__kind")]


def act(curator: Curator, *, undo: bool = False) -> int:
    """Press the first button of the list. Returns the status; Today is then shown."""
    form = curator.page.select_one(".waiting__one form")
    fields = {field["name"]: field["value"] for field in form.select("input:not([name=csrf_token])")}
    if undo:
        fields["undo"] = form.button["value"]
    answer = curator.post("/admin/waiting", fields)
    if answer.status_code == 303:
        curator.get(answer.location)
    return answer.status_code


def test_it_works(app: Flask, cora: Curator) -> None:
    with app.app_context():
        for level in (2, 3, 4):
            add_daily(level=level)
    assert labels(cora) == []
    assert [card.h2.text for card in cora.page.select(".out__card")] == ["Easy", "Medium", "Hard"]
    assert "Nothing to do." in cora.page.select_one(".nothing").text


@pytest.mark.both_databases
def test_a_card_counts_starts_solves_and_votes(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        daily = add_daily()
        for number, seconds in enumerate((200, 300, 400)):
            player = add_player(f"Player{number}")
            puzzle = db.session.get_one(Attempt, add_solve(player, daily, seconds)).puzzle_id
            vote = {"player_id": player, "puzzle_id": puzzle, "good": number > 0}
            db.session.add(PuzzleVote(**vote, at=SetClock.time))
    cora.get("/admin/")
    figures = [figure.text.strip() for figure in cora.page.select(".out__figures dd")]
    assert figures == ["3", "3", "5:00", "2 of 3"]


def test_todays_digits_are_shown_to_curators_who_ask_or_have_begun(app: Flask, cora: Curator) -> None:
    with app.app_context():
        add_daily()
    cora.get("/admin/")
    assert cora.page.select(".out__board text") == []
    with app.app_context():
        assert db.session.scalars(sa.select(Peek.puzzle_id)).all() == []
    cora.get("/admin/?boards=1")
    assert len(cora.page.select(".out__board text")) > 16
    ranked = {"daily": DAY.isoformat(), "level": 2, "ranked": 1}
    assert cora.post("/attempts", ranked).status_code == 409


# Reports


def report(player: Visitor, text: str) -> int:
    """Report the puzzle that a player has begun. Returns the status."""
    with player.app.app_context():
        puzzle = db.session.scalar(sa.select(Attempt.puzzle_id))
    return player.post(f"/puzzles/{puzzle}/report", {"text": text}).status_code


@pytest.mark.both_databases
def test_a_report_is_closed_and_opened_again(app: Flask, cora: Curator, ada: Visitor) -> None:
    ada.start(level=1)
    for text in ("A first text", "Two solutions!"):  # a player has one open report of a puzzle
        assert report(ada, text) == 303
    assert labels(cora) == ["Report"]
    item = cora.page.select_one(".waiting__one")
    assert "“Two solutions!” Ada" in item.text and "We checked: one solution." in item.text
    assert act(cora) == 303
    assert [one.text for one in cora.page.select(".waiting__kind")] == ["Done"]
    again = {"kind": "report", "key": item.select_one("[name=key]")["value"], "csrf_token": cora.token}
    late = cora.client.post("/admin/waiting", data=again)
    assert late.status_code == 409
    assert act(cora, undo=True) == 303
    assert labels(cora) == ["Report"]
    assert [entry.action for entry in entries(app, "report")] == ["close", "reopen"]


def test_only_a_puzzle_that_was_out_is_reported_with_words(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context(), write_tx():
        daily = add_daily(DAY.replace(day=9))
        hidden = schedule.between(DAY.replace(day=9), DAY.replace(day=9))[DAY.replace(day=9), 2].puzzle_id
    assert daily
    assert guest.get(f"/puzzles/{hidden}/report").status_code == 404
    assert guest.post("/puzzles/1/report", {"text": " "}).status_code == 422
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], crowd=1))
    assert [guest.post("/puzzles/1/report", {"text": "x"}).status_code for _ in range(11)][-2:] == [303, 429]


# Solves, closed days, names


@pytest.mark.both_databases
def test_a_doubted_solve_is_counted_and_that_undone(app: Flask, cora: Curator, flagged: str) -> None:
    assert labels(cora) == ["Under review"]
    assert "faster than a hand can type" in cora.page.select_one(".waiting__one").text
    assert act(cora) == 303
    with app.app_context():
        found = db.session.get_one(Attempt, flagged)
        assert (found.standing, found.board) == (Standing.VERIFIED, "day")
    assert act(cora, undo=True) == 303
    with app.app_context():
        found = db.session.get_one(Attempt, flagged)
        assert (found.standing, found.verdict) == (Standing.REVIEW, None)
    assert labels(cora) == ["Under review"]


def test_what_has_changed_meanwhile_is_not_decided(cora: Curator, flagged: str) -> None:
    fields = {"kind": "solve", "key": flagged, "seen": "something else"}
    assert cora.post("/admin/waiting", fields).status_code == 409
    assert cora.post("/admin/waiting", fields | {"kind": "nothing"}).status_code == 404


def test_acts_are_undone_within_an_hour(cora: Curator, flagged: str, clock: SetClock) -> None:
    assert flagged
    labels(cora)
    act(cora)
    form = {"undo": cora.page.select_one(".waiting__one button")["value"]}
    clock.advance(minutes=61)
    cora.prove()
    assert cora.post("/admin/waiting", form).status_code == 404


@pytest.mark.both_databases
def test_the_first_three_of_a_closed_day_are_confirmed_once(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    with app.app_context():
        daily = add_daily()
        ids = [add_solve(add_player(f"Player{at}"), daily, 300 + 60 * at, points=90) for at in range(4)]
        clock.advance(days=2)
        with write_tx():
            for found in schedule.between(DAY, DAY).values():
                found.closed_at = clock.time
    cora.sign_in("Cora")
    cora.prove()
    assert labels(cora) == ["Closed day"]
    assert "Player0 5:00, Player1 6:00, Player2 7:00" in cora.page.select_one(".waiting__words").text
    assert act(cora) == 303
    with app.app_context():
        verdicts = [db.session.get_one(Attempt, number).verdict is not None for number in ids]
    assert verdicts == [True, True, True, False]
    assert labels(cora) == []


@pytest.mark.both_databases
def test_a_new_name_with_digits_for_letters_is_looked_at(app: Flask, cora: Curator, clock: SetClock) -> None:
    with app.app_context(), write_tx():
        for name in ("b1ngo_w1n", "Pip2026", "Anna"):
            player = db.session.get_one(Player, add_player(name))
            player.named_at = clock.time
    assert labels(cora) == ["Name"]
    assert cora.page.select_one(".waiting__title").text == "b1ngo_w1n"
    assert act(cora) == 303
    assert labels(cora) == []
    cora.get(f"/admin/?done={entries(app, 'name')[-1].id}")
    assert act(cora, undo=True) == 303
    assert labels(cora) == ["Name"]
    clock.advance(days=8)
    cora.sign_in("Cora")
    cora.prove()
    assert labels(cora) == []


# Verdicts, and what curators see of a solve


def solve(app: Flask, attempt_id: str) -> Attempt:
    return one(app, sa.select(Attempt).where(Attempt.id == attempt_id))


def seen(curator: Curator, attempt_id: str) -> str:
    """Return the state that the page of the solve shows."""
    assert curator.get(f"/admin/solves/{attempt_id}").status_code == 200
    return str(curator.page.find("input", attrs={"name": "seen"})["value"])


def judge(cora: Curator, attempt_id: str, standing: str, note: str, mark: str = "") -> int:
    """Decide on a solve as its page shows it, or did. Returns the status."""
    fields = {"seen": mark or seen(cora, attempt_id), "standing": standing, "note": note}
    return cora.post(f"/admin/solves/{attempt_id}", fields).status_code


@pytest.mark.both_databases
def test_a_removed_solve_says_why(app: Flask, cora: Curator, ada: Visitor, flagged: str) -> None:
    assert judge(cora, flagged, "removed", "Too fast\nto be true") == 303
    found = solve(app, flagged)
    assert (found.standing, found.verdict, found.board) == (Standing.REMOVED, "Too fast\nto be true", None)
    assert "Too fast" in ada.get(f"/attempts/{flagged}").text
    (entry,) = entries(app, "attempt")
    assert (entry.action, entry.note) == ("judge", "Too fast\nto be true")


def test_the_replay_shows_the_solve_move_by_move(app: Flask, cora: Curator, flagged: str) -> None:
    assert cora.get(f"/admin/solves/{flagged}?move=3").status_code == 200
    digits = [int(row.select_one("td").text) for row in cora.page.select("#played tbody tr")]
    assert sum(digits) == solve(app, flagged).last_seq
    assert cora.get("/admin/solves/nothing").status_code == 404


@pytest.mark.parametrize(("standing", "note"), [("verified", ""), ("removed", " "), ("maybe", "Because")])
def test_a_verdict_needs_a_reason(app: Flask, cora: Curator, flagged: str, standing: str, note: str) -> None:
    assert judge(cora, flagged, standing, note) == 422
    assert solve(app, flagged).standing == Standing.REVIEW


@pytest.mark.both_databases
def test_two_curators_never_overwrite_each_others_verdicts(app: Flask, cora: Curator, flagged: str) -> None:
    mark = seen(cora, flagged)
    assert judge(cora, flagged, "verified", "Checked", mark) == 303
    assert judge(cora, flagged, "removed", "Late", mark) == 409
    assert solve(app, flagged).standing == Standing.VERIFIED


def test_nobody_decides_on_a_solve_of_their_own(app: Flask, cora: Curator, clock: SetClock) -> None:
    with app.app_context():
        add_daily()
    own = play(cora, clock, minutes=0.2).rpartition("/")[2]
    assert judge(cora, own, "verified", "Mine") == 422


@pytest.mark.both_databases
def test_a_removal_is_appealed_answered_and_reversed(
    app: Flask, cora: Curator, ada: Visitor, flagged: str
) -> None:
    judge(cora, flagged, "removed", "Too fast")
    stale = seen(cora, flagged)
    assert ada.post(f"/attempts/{flagged}/appeal", {"appeal": "I typed it."}).status_code == 303
    assert judge(cora, flagged, "removed", "No", stale) == 409  # no verdict passes over an unseen appeal
    cora.get("/admin/")
    assert "I typed it." in cora.page.select_one(".waiting__one").text
    assert judge(cora, flagged, "removed", "We doubt it") == 303
    assert solve(app, flagged).verdict == "Too fast\nWe doubt it"
    assert judge(cora, flagged, "verified", "We were wrong") == 303
    assert (solve(app, flagged).standing, solve(app, flagged).appeal) == (Standing.VERIFIED, None)


def test_an_assisted_solve_is_restored_as_what_it_was(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        attempt_id = add_solve(add_player("Bea"), add_daily(), 300, standing=Standing.ASSISTED)
    for standing in ("removed", "verified"):
        assert judge(cora, attempt_id, standing, "Checked") == 303
    assert solve(app, attempt_id).standing == Standing.ASSISTED


# Readers' votes


@pytest.mark.both_databases
def test_a_player_votes_once_after_a_solve(app: Flask, ada: Visitor, guest: Visitor, clock: SetClock) -> None:
    address = ada.start(level=1)
    assert ada.post(f"{address}/vote", {"good": "1"}).status_code == 404
    clock.advance(minutes=5)
    ada.finish(address)
    for good in ("1", "0"):
        assert ada.post(f"{address}/vote", {"good": good}).status_code == 303
    assert guest.post(f"{address}/vote", {"good": "1"}).status_code == 404
    guest.register("Bob")
    assert guest.post(f"{address}/vote", {"good": "1"}).status_code == 404
    with app.app_context():
        (vote,) = db.session.scalars(sa.select(PuzzleVote))
        assert (vote.good, votes.counts([vote.puzzle_id])) == (False, {vote.puzzle_id: (0, 1)})
    for page in (address, f"{address}/review"):
        ada.get(page)
        pressed = [button.text for button in ada.page.select("#vote [aria-pressed=true]")]
        assert pressed == ["Not for me"]
    assert '"votes"' in ada.get("/account/export").text
    ada.get("/account")
    assert ada.post("/account/deletion", {"sure": "1", "password": PASSWORD}).status_code == 303
    with app.app_context():
        assert db.session.scalars(sa.select(PuzzleVote)).all() == []


def test_a_guests_votes_go_to_their_account(app: Flask) -> None:
    with app.app_context(), write_tx():
        first, second = add_player(), add_player("Ada")
        for player, puzzle, good in ((first, 1, True), (first, 2, True), (second, 2, False)):
            db.session.add(PuzzleVote(player_id=player, puzzle_id=puzzle, good=good, at=SetClock.time))
        db.session.flush()
        votes.merge(first, second)
        left = db.session.execute(sa.select(PuzzleVote.player_id, PuzzleVote.puzzle_id, PuzzleVote.good))
        assert sorted(map(tuple, left)) == [(second, 1, True), (second, 2, False)]


def test_nobody_votes_on_a_puzzle_they_have_entered(ada: Visitor, clock: SetClock) -> None:
    address = ada.start(grid=EASY)
    clock.advance(minutes=5)
    ada.finish(address)
    assert ada.post(f"{address}/vote", {"good": "1"}).status_code == 404
    ada.get(address)
    assert ada.page.select("#vote") == []
