"""Moderation: solves under review, their replay and verdict; names that break the rules; all in the log."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_leaderboard import BOARD, lines, play, player_of
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator, appoint, entries
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, at, close
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import suspensions
from webapp.competition.leaderboard import places
from webapp.models import Attempt, Leaderboard, Listing, Player, Role, Standing
from webapp.process.database import db, write_tx


@pytest.fixture
def flagged(app: Flask, ada: Visitor, clock: SetClock) -> str:
    """The id of a solve that is too fast to be plausible."""
    with app.app_context():
        add_daily()
    address = play(ada, clock, minutes=0.2)
    attempt_id = address.rpartition("/")[2]
    assert solve(app, attempt_id).standing == Standing.REVIEW
    return attempt_id


def solve(app: Flask, attempt_id: str) -> Attempt:
    with app.app_context():
        found = db.session.get_one(Attempt, attempt_id)
        db.session.expunge(found)
        return found


def seen(curator: Curator, attempt_id: str) -> str:
    """Return the state that the page of the solve shows."""
    assert curator.get(f"/admin/flags/{attempt_id}").status_code == 200
    return str(curator.page.find("input", attrs={"name": "seen"})["value"])


def test_it_works(cora: Curator, flagged: str) -> None:
    assert cora.get("/admin/flags").status_code == 200
    waiting = cora.page.find(id=f"flag-{flagged}")
    assert "Ada" in waiting.text and "faster than a hand can type" in waiting.text


def decide(cora: Curator, attempt_id: str, standing: str, note: str, mark: str = "") -> int:
    """Decide on a solve as its page shows it, or did. Returns the status."""
    fields = {"seen": mark or seen(cora, attempt_id), "standing": standing, "note": note}
    return cora.post(f"/admin/flags/{attempt_id}/verdict", fields).status_code


def reasons(cora: Curator, attempt_id: str) -> tuple[str, list[str]]:
    """Return the state of a solve on its page: the heading and each reason."""
    cora.get(f"/admin/flags/{attempt_id}")
    section = cora.page.select_one("section[aria-labelledby=rules-title]")
    return section.h2.text, [one.text for one in section.select(".flags li")]


@pytest.mark.both_databases
def test_a_solve_typed_in_one_go_is_listed_until_a_curator_counts_it(app: Flask, cora: Curator) -> None:
    with app.app_context():
        typed = add_solve(add_player("Eve"), add_daily(), 190, doubts='["paper"]')
    cora.get("/admin/flags")
    words = " ".join(cora.page.find(id=f"unranked-{typed}").text.split())
    assert "#60, Easy, 3:10 Eve Expected: about 7 min" in words
    assert "typed in one go" in words
    assert reasons(cora, typed) == (
        "Why it has no rank yet",
        [
            "All digits were typed in one go after a long silence, as if from paper.",
            "It gets its rank once you count it. The player can say that it came from paper.",
        ],
    )
    assert decide(cora, typed, "verified", "We looked at your replay.") == 303
    assert solve(app, typed).board == Leaderboard.DAY
    cora.get("/admin/flags")
    assert cora.page.find(id="unranked-title") is None
    cora.get("/admin/audit")
    assert "Confirmed Eve’s solve of" in cora.page.text


@pytest.mark.both_databases
def test_yesterdays_first_three_are_looked_at_and_one_removed_gives_the_place_back(
    app: Flask, cora: Curator
) -> None:
    long_ago, lately = DAY - timedelta(days=12), DAY - timedelta(days=3)
    with app.app_context():
        for day, closed in ((long_ago, at(days=-8)), (lately, at())):
            daily = add_daily(day)
            starts = at(day, hours=8)
            solves = [
                add_solve(
                    add_player(f"{day} {number}", named_at=at(days=-20)), daily, 300 + number, starts=starts
                )
                for number in range(4)
            ]
            assert close(closed) == 1
    cora.get("/admin/flags")
    listed = [item["id"] for item in cora.page.select("#firsts li")]
    assert listed == [f"first-{solve}" for solve in solves[:3]]
    assert decide(cora, solves[0], "removed", "A program’s digits.") == 303
    assert decide(cora, solves[1], "verified", "We looked at it.") == 303
    cora.get("/admin/flags")
    assert [item["id"] for item in cora.page.select("#firsts li")] == [f"first-{s}" for s in solves[2:]]
    with app.app_context():
        ranks = [places.place(db.session.get_one(Attempt, each)).rank for each in solves]
    assert ranks == [None, 1, 2, 3]


def test_a_verified_solve_was_never_under_review(app: Flask, cora: Curator) -> None:
    with app.app_context():
        plain = add_solve(add_player("Eve"), add_daily(), 300)
    assert reasons(cora, plain) == ("Never under review", [])


def test_the_replay_shows_the_solve_move_by_move(cora: Curator, flagged: str) -> None:
    cora.get(f"/admin/flags/{flagged}?move=0")
    before = len(cora.page.select("#board [data-digit]"))
    cora.get(f"/admin/flags/{flagged}?move=5")
    assert len(cora.page.select("#board [data-digit]")) == before + 5
    scrubber = cora.page.find(id="review-board")
    assert scrubber["data-behaviour"] == "review"
    assert all("/admin/flags/" in link["href"] for link in cora.page.select(".review__ways a"))


@pytest.mark.parametrize(("standing", "on_board"), [("verified", True), ("removed", False)])
def test_a_verdict_is_kept_logged_and_read_by_the_player(
    app: Flask, cora: Curator, ada: Visitor, flagged: str, standing: str, on_board: bool
) -> None:
    fields = {"seen": seen(cora, flagged), "standing": standing, "note": "We looked at your replay."}
    answer = cora.post(f"/admin/flags/{flagged}/verdict", fields)
    assert (answer.status_code, answer.location) == (303, "/admin/flags?done=verdict")
    found = solve(app, flagged)
    assert (found.standing, found.verdict) == (standing, "We looked at your replay.")
    (entry,) = entries(app, "attempt")
    assert (entry.curator_name, entry.action, entry.subject_id) == ("Cora", "judge", flagged)
    assert "review" in (entry.before or "") and standing in (entry.after or "")
    ada.get(BOARD)
    assert ("0:12" in str(lines(ada))) == on_board
    assert "We looked at your replay." in ada.get(f"/attempts/{flagged}").text


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"standing": "verified"},
        {"note": "x"},
        {"standing": "assisted", "note": "x"},
        {"standing": "verified", "note": " "},
        {"standing": "removed", "note": "x" * 501},
    ],
)
def test_a_bad_verdict_is_refused_and_nothing_is_done(
    app: Flask, cora: Curator, flagged: str, fields: dict[str, str]
) -> None:
    mark = {"seen": seen(cora, flagged)}
    assert cora.post(f"/admin/flags/{flagged}/verdict", mark | fields).status_code == 422
    assert solve(app, flagged).standing == Standing.REVIEW
    assert entries(app, "attempt") == []


def test_two_curators_never_overwrite_each_others_verdicts(
    app: Flask, cora: Curator, clock: SetClock, flagged: str
) -> None:
    ben = appoint(Curator(app, clock=clock, name="Ben"))
    ben.prove()
    mark = seen(cora, flagged)
    assert decide(ben, flagged, "removed", "Too fast.") == 303
    late = cora.post(
        f"/admin/flags/{flagged}/verdict", {"seen": mark, "standing": "verified", "note": "Fine."}
    )
    assert late.status_code == 409
    assert "Ben changed" in late.text and "Fine." in late.text
    assert solve(app, flagged).standing == Standing.REMOVED


def test_nobody_decides_on_a_solve_of_their_own(app: Flask, cora: Curator, clock: SetClock) -> None:
    with app.app_context():
        add_daily()
    attempt_id = play(cora, clock, minutes=0.2).rpartition("/")[2]
    assert decide(cora, attempt_id, "verified", "Fine.") == 422
    assert solve(app, attempt_id).standing == Standing.REVIEW


@pytest.mark.usefixtures("ada")
def test_a_name_is_replaced_and_logged(app: Flask, cora: Curator) -> None:
    number = player_of(app, "Ada")
    fields = {"action": "rename", "seen": "Ada", "name": "Renamed 7", "note": "An insult."}
    assert cora.post(f"/admin/names/{number}", fields).location == "/admin/flags?done=rename"
    assert player_of(app, "Renamed 7") == number
    (entry,) = entries(app, "player")
    assert (entry.action, entry.note) == ("rename", "An insult.")
    assert cora.get("/players/Ada").status_code == 404


def test_a_hidden_name_stands_on_no_board(app: Flask, cora: Curator, flagged: str) -> None:
    assert decide(cora, flagged, "verified", "Fine.") == 303
    number = player_of(app, "Ada")
    assert cora.post(f"/admin/names/{number}", {"action": "hide", "seen": "Ada"}).status_code == 303
    with app.app_context():
        assert db.session.get_one(Player, number).listing == Listing.ANONYMOUS
    cora.get(BOARD)
    assert "Ada" not in str(lines(cora)) and "anonymous" in str(lines(cora))
    assert [entry.action for entry in entries(app, "player")] == ["hide"]


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"action": "rename", "name": "x"}, 422),
        ({"action": "rename", "name": "admin"}, 422),
        ({"action": "rename", "name": "Cora"}, 422),
        ({"action": "delete"}, 422),
        ({}, 422),
        ({"action": "rename", "name": "Renamed 7", "seen": "Bob"}, 409),
        ({"action": "hide", "seen": "Bob"}, 409),
    ],
)
def test_a_bad_change_of_a_name_is_refused(
    app: Flask, cora: Curator, fields: dict[str, str], status: int
) -> None:
    number = player_of(app, "Ada")
    assert cora.post(f"/admin/names/{number}", {"seen": "Ada"} | fields).status_code == status
    assert player_of(app, "Ada") == number
    assert entries(app, "player") == []


@pytest.mark.both_databases
def test_nobody_without_a_name_is_renamed(app: Flask, cora: Curator, guest: Visitor) -> None:
    guest.start()
    with app.app_context():
        number = db.session.scalars(sa.select(Player.id).where(Player.name.is_(None))).one()
    assert cora.post(f"/admin/names/{number}", {"action": "hide", "seen": ""}).status_code == 404


def test_names_are_looked_for_by_a_part(app: Flask, cora: Curator) -> None:
    with app.app_context():
        add_player("Some_body")
        add_player("Somexbody")
    cora.get("/admin/flags?name=E_B")
    names = [link.text for link in cora.page.select("section[aria-labelledby=names-title] .flags__open")]
    assert names == ["Some_body"]


@pytest.fixture
def counted(app: Flask, ada: Visitor, clock: SetClock) -> str:
    """The id of a solve without doubts."""
    with app.app_context():
        add_daily()
    return play(ada, clock, minutes=9).rpartition("/")[2]


@pytest.mark.both_databases
def test_a_solve_that_nobody_doubted_is_removed_and_restored(
    cora: Curator, ada: Visitor, counted: str
) -> None:
    for standing, listed in (("removed", False), ("verified", True)):
        assert decide(cora, counted, standing, "A bot.") == 303
        ada.get(BOARD)
        assert ("Ada" in str(lines(ada))) is listed


def test_an_assisted_solve_is_restored_as_what_it_was(app: Flask, cora: Curator, counted: str) -> None:
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Attempt).values(assisted=True, standing=Standing.ASSISTED))
    for standing in ("removed", "verified"):
        assert decide(cora, counted, standing, "A bot.") == 303
    assert solve(app, counted).standing == Standing.ASSISTED


def state(app: Flask, curator: Curator, name: str = "Ada") -> str:
    """Return the suspension of a player, as on the page."""
    curator.get(f"/admin/players/{player_of(app, name)}")
    hidden = curator.page.find("input", attrs={"name": "seen"})
    return "" if hidden is None else str(hidden["value"])


def suspend(app: Flask, curator: Curator, name: str = "Ada", **more: str) -> int:
    fields = {"action": "suspend", "note": "Bots are not welcome.", "length": "days", "days": "7", **more}
    fields.setdefault("seen", state(app, curator, name))
    return curator.post(f"/admin/players/{player_of(app, name)}/suspension", fields).status_code


@pytest.mark.both_databases
@pytest.mark.usefixtures("counted")
def test_a_suspended_player_is_on_no_leaderboard_until_the_time_is_over(
    app: Flask, cora: Curator, ada: Visitor, clock: SetClock
) -> None:
    assert suspend(app, cora) == 303
    ada.get(BOARD)
    assert not lines(ada)
    with app.app_context():
        assert suspensions.end_expired(clock()) == 0
        assert suspensions.end_expired(clock() + timedelta(days=8)) == 1
    ada.get(BOARD)
    assert "Ada" in str(lines(ada))
    assert [entry.action for entry in entries(app, "player")] == ["suspend", "lift"]


def test_a_suspended_player_reads_why_and_appeals(app: Flask, cora: Curator, ada: Visitor) -> None:
    assert suspend(app, cora, length="good") == 303
    ada.get("/account")
    assert "Bots are not welcome." in ada.page.find(id="appeal").find_parent("section").text
    assert ada.post("/account/appeal", {"appeal": "I’m no bot."}).status_code == 303
    cora.get("/admin/flags")
    assert "I’m no bot." in cora.page.find(id="appeals-title").find_parent("section").text
    assert suspend(app, cora, action="lift") == 303
    assert ada.post("/account/appeal", {"appeal": "Again."}).status_code == 409
    ada.get("/account")
    assert ada.page.find(id="appeal") is None


def test_an_appeal_is_kept_in_the_log_when_another_suspension_replaces_the_first(
    app: Flask, cora: Curator, ada: Visitor
) -> None:
    assert suspend(app, cora) == 303
    assert ada.post("/account/appeal", {"appeal": "I am no bot."}).status_code == 303
    assert suspend(app, cora, length="good") == 303
    assert "I am no bot." in (entries(app, "player")[-1].before or "")


@pytest.mark.usefixtures("ada")
def test_a_stale_page_replaces_no_suspension(app: Flask, cora: Curator) -> None:
    before = state(app, cora)
    assert suspend(app, cora) == 303
    for action in ("suspend", "keep", "lift"):
        assert suspend(app, cora, action=action, length="good", seen=before) == 409
    assert "changed while you were looking" in cora.page.text
    assert [entry.action for entry in entries(app, "player")] == ["suspend"]


@pytest.mark.parametrize("action", ["suspend", "keep", "lift"])
def test_no_decision_passes_over_an_appeal_that_was_not_seen(
    app: Flask, cora: Curator, ada: Visitor, action: str
) -> None:
    assert suspend(app, cora) == 303
    before = state(app, cora)
    assert ada.post("/account/appeal", {"appeal": "I am no bot."}).status_code == 303
    assert suspend(app, cora, action=action, seen=before) == 409
    assert "I am no bot." in cora.page.text


def test_an_appeal_is_answered_and_the_suspension_goes_on(app: Flask, cora: Curator, ada: Visitor) -> None:
    assert suspend(app, cora) == 303
    assert suspend(app, cora, action="keep") == 422
    assert ada.post("/account/appeal", {"appeal": "I am no bot."}).status_code == 303
    assert suspend(app, cora, action="keep", note="") == 422
    until = suspended_until(app)
    assert suspend(app, cora, action="keep", note="We looked again.") == 303
    assert suspended_until(app) == until
    ada.get("/account")
    section = ada.page.find(id="appeal").find_parent("section")
    assert [line.text for line in section.select("p:not([class])")] == [
        "Bots are not welcome.",
        "We looked again.",
    ]
    assert ada.page.find(id="appeal").text == ""
    cora.get("/admin/flags")
    assert cora.page.find(id="appeals-title") is None
    cora.get(f"/admin/players/{player_of(app, 'Ada')}")
    assert "Kept Ada suspended after an appeal." in cora.page.select_one(".history").text


def suspended_until(app: Flask) -> object:
    with app.app_context():
        return db.session.scalars(sa.select(Player.suspended_until).where(Player.name == "Ada")).one()


@pytest.mark.usefixtures("ada")
def test_the_history_of_a_player_says_a_suspension_in_words(app: Flask, cora: Curator) -> None:
    assert suspend(app, cora) == 303
    cora.get(f"/admin/players/{player_of(app, 'Ada')}")
    words = cora.page.select_one(".history").text
    assert "until March 8, 2026." in words
    assert "→" not in words


@pytest.mark.parametrize(
    "wrong", [{"note": ""}, {"days": "0"}, {"days": "x"}, {"days": ""}, {"length": ""}, {"action": "x"}]
)
@pytest.mark.usefixtures("ada")
def test_a_suspension_that_says_too_little_is_refused(
    app: Flask, cora: Curator, wrong: dict[str, str]
) -> None:
    assert suspend(app, cora, **wrong) == 422
    assert entries(app, "player") == []


def test_a_curators_account_is_changed_by_administrators_only(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    number = player_of(app, "Cora")
    robin = of_role(app, clock, Role.MODERATOR, "Robin")
    assert suspend(app, robin, "Cora") == 422
    for action in ("rename", "hide"):
        fields = {"seen": "Cora", "action": action, "name": "Coral"}
        assert robin.post(f"/admin/names/{number}", fields).status_code == 422
    assert suspend(app, cora, "Robin") == 303
    assert [entry.curator_name for entry in entries(app, "player")] == ["Cora"]


def test_the_times_of_a_solve_are_shown_to_the_millisecond(cora: Curator, counted: str) -> None:
    cora.get(f"/admin/flags/{counted}")
    section = cora.page.find(id="times-title").find_parent("section")
    assert "Solved in 540.000 seconds." in section.text
    rows = section.find("tbody").find_all("tr")
    assert float(rows[-1].find_all("td")[2].text) == 540.0
    assert rows[0].find("th").text == "1 digit"


def test_digits_that_came_together_are_drawn_with_one_wait(cora: Curator, counted: str) -> None:
    cora.get(f"/admin/flags/{counted}")
    rows = [row.select("td")[1:] for row in cora.page.select("#waits-table tbody tr")]
    waits = [[cell.text for cell in row] for row in rows if row[0].text != "–"]
    assert sorted(waits, key=str)[-1] == ["0.0 s", "540.0 s"]
    assert waits.count(["0.0 s", "0.0 s"]) == len(waits) - 1


@pytest.mark.both_databases
def test_the_pictures_show_waits_and_the_order_beside_the_nearest_games(
    app: Flask,
    cora: Curator,
    ada: Visitor,
    other: Visitor,
    clock: SetClock,
) -> None:
    with app.app_context():
        add_daily()
    nearest = play(other, clock, minutes=9).rpartition("/")[2]
    copy = play(ada, clock, minutes=9).rpartition("/")[2]
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.id == copy).values(original_id=nearest))
    cora.get(f"/admin/flags/{copy}")
    pictures = cora.page.find(id="pictures")
    digits = len(pictures.select(".waits__dot")) - len(pictures.select(".waits__sign"))
    assert digits == 81 - len(cora.page.select("#board [data-given]"))
    orders = pictures.select(".sequence")
    assert [order.select(".sequence__number")[0].text.isdigit() for order in orders] == [True, True]
    assert len({len(order.select(".sequence__near")) for order in orders}) == 1
    givens = {len(order.select(".sequence__cell--0")) for order in orders}
    assert givens == {81 - digits}
    assert cora.page.find(id="original")["href"] == f"/admin/flags/{nearest}"


# Appeals against removals


@pytest.fixture
def removed(cora: Curator, flagged: str) -> str:
    """The id of a solve of Ada's that a curator has removed."""
    assert decide(cora, flagged, "removed", "Nobody is that fast.") == 303
    return flagged


def test_an_appeal_that_is_too_long_keeps_its_text(ada: Visitor, removed: str) -> None:
    ada.get(f"/attempts/{removed}")
    action = ada.page.find(id="flag-reason").find("form")["action"]
    assert ada.post(action, {"appeal": "x" * 2001}).status_code == 422
    assert ada.page.find(id="flag-reason").has_attr("open")
    assert ada.page.find(id="wrong-appeal") is not None
    assert ada.page.find(id="appeal").text.strip() == "x" * 2001


@pytest.mark.both_databases
def test_a_removal_is_appealed_and_reversed(app: Flask, cora: Curator, ada: Visitor, removed: str) -> None:
    ada.get(f"/attempts/{removed}")
    form = ada.page.find(id="flag-reason").find("form")
    assert ada.post(form["action"], {"appeal": "I only type fast."}).status_code == 303
    ada.get(f"/attempts/{removed}")
    assert "You’ve appealed. A curator will read it." in ada.page.find(id="flag-reason").text
    cora.get("/admin/flags")
    assert "I only type fast." in cora.page.find(id=f"appealed-{removed}").text
    cora.get(f"/admin/flags/{removed}")
    assert cora.page.find("blockquote").text == "I only type fast."
    assert decide(cora, removed, "verified", "It was a fair solve.") == 303
    assert (solve(app, removed).standing, solve(app, removed).appeal) == (Standing.VERIFIED, None)
    assert "I only type fast." in (entries(app, "attempt")[-1].before or "")


def test_an_appeal_is_answered_and_the_solve_stays_removed(
    app: Flask, cora: Curator, ada: Visitor, removed: str
) -> None:
    assert ada.post(f"/attempts/{removed}/appeal", {"appeal": "I only type fast."}).status_code == 303
    assert decide(cora, removed, "removed", "We looked again.") == 303
    found = solve(app, removed)
    assert (found.standing, found.appeal) == (Standing.REMOVED, None)
    assert found.verdict == "Nobody is that fast.\nWe looked again."
    cora.get("/admin/audit")
    assert "Kept Ada’s solve of Daily 60, Easy removed after an appeal." in cora.page.text
    cora.get("/admin/flags")
    assert cora.page.find(id="appeals-title") is None


def test_no_verdict_passes_over_an_appeal_that_was_not_seen(
    app: Flask, cora: Curator, ada: Visitor, clock: SetClock, removed: str
) -> None:
    before = seen(cora, removed)
    clock.advance(seconds=1)
    assert ada.post(f"/attempts/{removed}/appeal", {"appeal": "I only type fast."}).status_code == 303
    assert decide(cora, removed, "removed", "Once more.", before) == 409
    assert solve(app, removed).appeal == "I only type fast."


@pytest.mark.parametrize(("text", "status"), [("", 422), ("x" * 2001, 422), ("I am no bot.", 303)])
def test_only_an_appeal_with_words_is_stored(
    app: Flask, ada: Visitor, removed: str, text: str, status: int
) -> None:
    assert ada.post(f"/attempts/{removed}/appeal", {"appeal": text}).status_code == status
    assert (solve(app, removed).appeal is not None) == (status == 303)


def test_only_the_player_of_a_removed_solve_appeals(
    app: Flask, ada: Visitor, guest: Visitor, flagged: str
) -> None:
    assert ada.post(f"/attempts/{flagged}/appeal", {"appeal": "I am no bot."}).status_code == 409
    assert guest.post(f"/attempts/{flagged}/appeal", {"appeal": "I am no bot."}).status_code == 404
    assert solve(app, flagged).appeal is None
