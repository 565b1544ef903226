"""Rules of fair play at the desk: how often each was right, and weights tried before they are used."""

from __future__ import annotations

import json
import threading

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_ranking import waits_for_a_lock
from tests.webapp.curation.test_moderation import of_role
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import add_daily, add_player, add_solve, at
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.fair_play import rules
from webapp.curation.moderation import trials
from webapp.game.evidence.score import WEIGHTS
from webapp.identity.players import Identity
from webapp.models import Player, Role, RuleTrial, Standing
from webapp.process.database import db, write_tx

RULES = "/admin/flags/rules"
TRIED = {"key": "leaps", "harmless": "1", "doubtful": "3", "most": "2"}
FAIR = {"leaps": 3.0, "pace": 0.9}


def solves(app: Flask) -> None:
    """One that only a stricter rule would doubt, one in doubt, a plain one, one without figures."""
    stored = (
        (FAIR, {}, Standing.VERIFIED),
        ({"leaps": 9.0}, {"leaps": 2.0}, Standing.REVIEW),
        ({"leaps": 0.0}, {}, Standing.VERIFIED),
        (None, {}, Standing.VERIFIED),
    )
    with app.app_context(), write_tx():
        daily = add_daily()
        for number, (values, shares, standing) in enumerate(stored):
            evidence = None if values is None else {"shares": shares, "nearest": None, "values": values}
            add_solve(
                add_player(f"P{number}"),
                daily,
                300 + number,
                standing=standing,
                doubts=json.dumps([*shares]) if shares else None,
                evidence=None if evidence is None else json.dumps(evidence),
            )


@pytest.fixture
def month(app: Flask, cora: Curator) -> Curator:
    solves(app)
    return cora


def begun(curator: Curator, **fields: str) -> str:
    answer = curator.post(RULES, TRIED | fields)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def test_it_works(cora: Curator) -> None:
    assert cora.get(RULES).status_code == 200
    assert "No verdicts yet" in cora.page.find(id="rule-leaps").text
    assert {form["value"] for form in cora.page.select("input[name=key]")} == {each.key for each in WEIGHTS}


@pytest.mark.both_databases
def test_precision_is_the_share_of_verdicts_that_upheld_a_rule(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        daily = add_daily()
        for number, standing in enumerate((Standing.REMOVED, Standing.REMOVED, Standing.VERIFIED)):
            add_solve(
                add_player(f"P{number}"),
                daily,
                300,
                standing=standing,
                verdict="Seen.",
                doubts='["order"]',
                evidence=json.dumps({"shares": {"leaps": 0.8, "pace": 0.1}, "nearest": None}),
            )
    cora.get(RULES)
    for key in ("order", "leaps"):
        assert "67%" in cora.page.find(id=f"rule-{key}").text
    assert "No verdicts yet" in cora.page.find(id="rule-pace").text


@pytest.mark.both_databases
def test_a_weight_is_tried_on_the_past_month_and_changes_nothing(app: Flask, month: Curator) -> None:
    month.get(begun(month))
    result = month.page.find(id="result").text
    assert "3 ranked solves were weighed again" in result and "1 more has no figures" in result
    assert "in use: 1. With this trial: 2." in result
    assert [line.text.split()[0] for line in month.page.select("[aria-labelledby=more-title] bdi")] == ["P0"]
    month.get(begun(month, most="0"))
    assert month.page.select("[aria-labelledby=fewer-title] bdi")[0].text == "P1"
    with app.app_context():
        assert rules.weights() == WEIGHTS


@pytest.mark.both_databases
def test_a_tried_weight_is_used_replaced_and_dropped(app: Flask, month: Curator) -> None:
    first, second = begun(month), begun(month, doubtful="4")
    for address, used in ((first, 3.0), (second, 4.0)):
        assert month.post(f"{address}/use", {"use": "yes"}).status_code == 303
        with app.app_context():
            assert next(each for each in rules.weights() if each.key == "leaps").doubtful == used
    assert month.post(f"{first}/use", {"use": "yes"}).status_code == 422  # the month has changed since
    assert month.post(f"{second}/use", {"use": "no"}).status_code == 303
    with app.app_context():
        assert rules.weights() == WEIGHTS
        assert not db.session.scalars(sa.select(RuleTrial).where(rules.USED)).all()
    assert [entry.action for entry in entries(app, "rule_trial")] == ["use", "use", "drop"]


@pytest.mark.both_databases
def test_two_weights_put_to_use_at_the_same_time_follow_each_other(app: Flask, month: Curator) -> None:
    first, second = (
        int(address.rpartition("/")[2]) for address in (begun(month), begun(month, doubtful="4"))
    )
    codes: list[int] = []

    def press() -> None:
        codes.append(month.post(f"{RULES}/{second}/use", {"use": "yes"}).status_code)

    pressing = threading.Thread(target=press)

    def meanwhile(_session: object) -> None:
        pressing.start()
        waits_for_a_lock()

    with app.app_context():
        row = db.session.scalars(sa.select(Player).where(Player.name == "Cora")).one()
        moderator = Identity(row.id, row.key, row.name, row.epoch, row.role)
        sa.event.listen(db.session, "before_commit", meanwhile, once=True)
        trials.use(moderator, first, at(), on=True)
        pressing.join()
        assert codes == [303]
        assert next(each for each in rules.weights() if each.key == "leaps").doubtful == 4.0
        assert [trial.used for trial in trials.trials()] == [True, False]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"key": "floor"}, "Choose one of these rules"),
        ({"key": ""}, "Choose one of these rules"),
        ({"harmless": ""}, "Enter a number"),
        ({"doubtful": "nan"}, "Enter a number"),
        ({"doubtful": "1e9"}, "Enter a number"),
        ({"most": "-1"}, "Enter a weight from 0 to 5"),
        ({"doubtful": "1"}, "Enter more than where it’s harmless"),
        ({"key": "pace", "harmless": "0.2", "doubtful": "0.3"}, "Enter less than where it’s harmless"),
    ],
)
def test_a_bad_weight_is_refused(app: Flask, cora: Curator, fields: dict[str, str], wrong: str) -> None:
    answer = cora.post(RULES, TRIED | fields)
    assert answer.status_code == 422 and wrong in answer.text
    with app.app_context():
        assert db.session.scalars(sa.select(RuleTrial)).all() == []


def test_a_bad_use_is_refused(month: Curator) -> None:
    assert month.post(f"{begun(month)}/use", {"use": "perhaps"}).status_code == 422
    assert month.post(f"{RULES}/999/use", {"use": "yes"}).status_code == 404
    assert month.get(f"{RULES}/999").status_code == 404


def test_only_moderators_see_and_change_rules(app: Flask, clock: SetClock, ada: Visitor) -> None:
    assert ada.get(RULES).status_code == 403
    editor = of_role(app, clock, Role.EDITOR, "Edith")
    assert editor.get(RULES).status_code == 403
    assert editor.post(RULES, TRIED).status_code == 403
    moderator = of_role(app, clock, Role.MODERATOR, "Robin")
    assert moderator.get(RULES).status_code == 200


def test_the_wrong_method_is_refused(cora: Curator) -> None:
    assert cora.get(f"{RULES}/1/use").status_code == 405
