"""The laboratory: which puzzles it accepts, what it shows of each system, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

import engine
from engine import warm
from engine.generation.methods import METHODS
from engine.traces import TRACES, figures_of
from tests.thorough import THOROUGH
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.solves import at, open_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.identity import limits
from webapp.play.lab import lab
from webapp.play.lab.routes import EXAMPLE
from webapp.play.lab.systems import SYSTEMS

LETTERS = "abcde"
NO_SOLUTION = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
LONG = ".1.8..6...98...........75....2.5...6.7319..2.....3..8.2.......3..7..3...8..9.1..."
SEVERAL = EASY.replace("7", ".")
TURNS = (
    lambda line: line[::-1],
    lambda line: "".join(line[9 * row : 9 * row + 9][::-1] for row in range(9)),
    lambda line: line.translate(str.maketrans("123456789", "234567891")),
)


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Clear caches of other tests."""
    lab._runs.clear()
    lab._traces.clear()


def address(grid: str = EXAMPLE, **query: object) -> str:
    return "/lab?" + "&".join(f"{name}={value}" for name, value in {"grid": grid, **query}.items())


def words(visitor: Visitor, part: str) -> str:
    return " ".join(visitor.page.select_one(part).get_text().split())


def said(visitor: Visitor) -> str:
    return words(visitor, "#lab-said")


def board(visitor: Visitor) -> str:
    return "".join(str(cell.get("data-digit", ".")) for cell in visitor.page.select("#board .cell"))


def figures(visitor: Visitor) -> dict[str, str]:
    return {
        row.select_one("th").get_text(strip=True)[0]: row.select_one("td").get_text()
        for row in visitor.page.select(".lab__table tbody tr")
    }


def facts(visitor: Visitor) -> str:
    return words(visitor, ".lab__facts")


def verdict(visitor: Visitor) -> str:
    return words(visitor, ".lab__verdict")


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/lab").status_code == 200
    form = guest.page.select_one("form.lab__form")
    assert form.find_previous("ul")["class"] == ["lab__examples"]
    text = guest.page.get_text()
    for system in SYSTEMS.values():
        assert system.method.text.title in text
        assert system.method.text.authors in text
    guest.get("/about")
    assert guest.page.select("main a[href='/lab/make']")


def test_the_claims_are_sent_as_the_document(guest: Visitor) -> None:
    guest.get("/lab")
    link = guest.page.select_one(".lab__sources").find_next("a")
    response = guest.get(str(link["href"]))
    assert response.mimetype == "text/plain"
    assert "## Every claim" in response.text


def test_its_five_systems_are_all_there_are() -> None:
    assert [system.key for system in SYSTEMS.values()] == list(TRACES) == list(METHODS)
    assert "".join(SYSTEMS) == LETTERS


@pytest.mark.parametrize("letter", LETTERS)
def test_each_system_is_walked_by_plain_links_from_the_first_step_to_the_last(
    guest: Visitor, letter: str
) -> None:
    trace = TRACES[SYSTEMS[letter].key](engine.parse(EXAMPLE))
    at_step = address(system=letter)
    guest.get(at_step)
    assert board(guest) == EXAMPLE
    for step in range(1, 6):
        link = guest.page.select_one("a#lab-next")
        assert parse_qs(urlsplit(str(link["href"])).query)["step"] == [str(step)]
        guest.get(str(link["href"]))
        # The rules show the board on which the step was found, with the step drawn over it.
        assert board(guest) == str(trace.grid_at(step - 1 if letter == "b" else step))
    guest.get(str(guest.page.select_one("a#lab-last")["href"]))
    assert guest.page.select_one("span#lab-next[aria-disabled=true]") is not None
    count = len(trace) + (letter == "b")
    assert guest.page.select_one(".lab__bench")["data-step"] == str(count)
    assert board(guest) == str(trace.grid_at(len(trace)))
    guest.get(str(guest.page.select_one("a#lab-prev")["href"]))
    assert guest.page.select_one(".lab__bench")["data-step"] == str(count - 1)
    guest.get(str(guest.page.select_one("a#lab-first")["href"]))
    assert board(guest) == EXAMPLE


@pytest.mark.parametrize("letter", LETTERS)
def test_a_link_leads_to_the_moment_of_solution(guest: Visitor, letter: str) -> None:
    guest.get(address(system=letter))
    guest.get(str(guest.page.select_one("a#lab-solved")["href"]))
    assert board(guest) == solution_of(EXAMPLE)


def test_of_a_long_run_the_steps_before_the_solution_are_shown_too(guest: Visitor) -> None:
    guest.get(address(LONG, system="a"))
    (notice,) = [tag.get_text(strip=True) for tag in guest.page.select(".lab__notice")]
    assert re.fullmatch(r"Steps 2,001 to [\d,]+ are left out\.", notice)
    guest.get(str(guest.page.select_one("a#lab-solved")["href"]))
    assert board(guest) == solution_of(LONG)


def test_every_offered_example_is_solved_by_all_five(guest: Visitor) -> None:
    guest.get("/lab")
    links = [str(link["href"]) for link in guest.page.select(".lab__examples a")]
    assert len(links) == 3
    for link in links:
        (line,) = parse_qs(urlsplit(link).query)["grid"]
        traces = {key: trace(engine.parse(line)) for key, trace in TRACES.items()}
        assert not any(trace.cut_off for trace in traces.values())
        unique = engine.solution_count(engine.parse(line)) == 1
        assert all((trace.solved_at is not None) >= unique for trace in traces.values())


def test_the_solution_stands_beside_the_table_and_can_be_saved(guest: Visitor) -> None:
    guest.get(address())
    digits = [text.get_text() for text in guest.page.select(".lab__solution text")]
    assert "".join(digits) == solution_of(EXAMPLE)
    saved = guest.get(str(guest.page.select_one(".lab__solution a")["href"]))
    assert saved.headers["Content-Disposition"] == "attachment; filename=solution.txt"
    assert saved.text.replace("\n", "") == solution_of(EXAMPLE)


def test_a_grid_with_several_solutions_has_none_to_save(guest: Visitor) -> None:
    assert guest.get(f"/lab/solution?grid={SEVERAL}").status_code == 404
    guest.get(address(SEVERAL))
    assert guest.page.select(".lab__solution") == []


def test_the_five_stand_side_by_side_with_their_own_measures(guest: Visitor) -> None:
    grid = engine.parse(EXAMPLE)
    measures = {letter: TRACES[system.key](grid).measures for letter, system in SYSTEMS.items()}
    scored = {key: figures_of(SYSTEMS[key].key, grid) for key in "ad"}
    guest.get(address())
    shown = figures(guest)
    assert shown["A"].startswith(f"Level {scored['a'].level}, “")
    assert f"score {scored['a'].score} from" in shown["A"]
    assert f"{scored['a'].searched:,} searches" in shown["A"]
    assert shown["B"] == f"Level {measures['b']['level']}, D = {measures['b']['difficulty']:.2f}"
    assert shown["C"] == f"{measures['c']['nodes']:,} nodes"
    assert shown["D"].startswith(f"Grade {scored['d'].level}, score {scored['d'].score} from")
    assert f"{scored['d'].searched:,} layouts" in shown["D"]
    assert shown["E"] == f"Level B, by its {grid.givens} givens"
    times = [cell.get_text() for cell in guest.page.select(".lab__table td.table__figure")]
    assert len(times) == 5
    assert all(re.fullmatch(r"[\d.,]+ ms", time) for time in times)


def test_a_score_is_shown_with_the_figure_it_comes_from_and_a_link_to_the_form_it_was_taken_from(
    guest: Visitor,
) -> None:
    grid = engine.parse(EXAMPLE)
    form = engine.canonical_form(grid)
    own, scored = TRACES["dig_hole"](grid).measures["searches"], TRACES["dig_hole"](form).measures["searches"]
    assert own != scored
    guest.get(address(system="a"))
    assert f"{scored:,} searches" in verdict(guest)
    assert f"{own:,}" not in verdict(guest)
    link = guest.page.select_one(".lab__verdict a")
    assert parse_qs(urlsplit(str(link["href"])).query)["grid"] == [str(form)]
    guest.get(address(str(form), system="a"))
    assert not guest.page.select(".lab__verdict a")


def test_b_shows_its_rules_with_n1_to_n14_d_and_its_level(guest: Visitor) -> None:
    trace = TRACES["weighted_rules"](engine.parse(EXAMPLE))
    guest.get(address(system="b", step=len(trace)))
    counts = [int(rule.select_one("b").get_text()) for rule in guest.page.select(".lab__rule")]
    assert counts == list(trace.counts)
    assert facts(guest) == f"{trace.steps[-1].difficulty:.2f} D so far"
    assert verdict(guest).startswith(f"Level {trace.level}, D = {trace.difficulty:.2f}.")
    assert guest.page.select_one(".lab__told .step") is not None
    assert guest.page.select_one("#overlay") is not None


@pytest.mark.parametrize("letter", ["a", "d"])
def test_a_and_d_show_their_three_figures_with_weights_and_sum(guest: Visitor, letter: str) -> None:
    guest.get(address(system=letter, step=1))
    rows = [
        [cell.get_text() for cell in row.select("td")] for row in guest.page.select(".lab__parts tbody tr")
    ]
    assert len(rows) == 3
    total = sum(float(score) * float(weight) for _value, score, weight in rows)
    assert f"score {total:.1f} from" in verdict(guest)


@pytest.mark.parametrize("letter", ["c", "e"])
def test_a_text_that_scores_nothing_has_no_table_of_scores(guest: Visitor, letter: str) -> None:
    guest.get(address(system=letter, step=1))
    assert not guest.page.select(".lab__parts")
    assert verdict(guest) == ("" if letter == "c" else "Level B, by its 32 givens.")


def test_a_text_is_named_in_its_own_language_and_translated(guest: Visitor) -> None:
    guest.get(address(system="a", step=1))
    source = guest.page.select_one(".lab__source")
    assert source.select_one('[lang="zh"]').get_text() == (
        "薛源海, 蒋彪彬, 李永卓: 基于“挖洞”思想的数独游戏生成算法"
    )
    assert "(An algorithm that makes Sudoku by digging holes)" in source.get_text()
    assert re.search("“(低级|初级|中级|高级|骨灰级) [(](low|beginner|medium|high|evil)[)]”", verdict(guest))


def test_a_chinese_reader_sees_the_texts_own_words_alone(guest: Visitor) -> None:
    chinese = {"Accept-Language": "zh-CN"}
    guest.get(address(system="a", step=1), **chinese)
    assert re.search("[“「](低级|初级|中级|高级|骨灰级)[”」]", verdict(guest))
    guest.get(address(system="b", step=1), **chinese)
    (now,) = guest.page.select(".lab__rule--now .lab__rule-name")
    assert now.get_text() in said(guest)  # one name in step and table
    assert now.get_text() == "显式唯一候选数法"


def test_c_draws_the_column_the_row_and_what_leaves(guest: Visitor) -> None:
    guest.get(address(system="c", step=1))
    assert said(guest).startswith("Given: 6 in r1c1.")
    assert "320 of 324 columns left" in facts(guest)
    table = guest.page.select_one(".matrix")
    heads = [" ".join(head.get_text().split()) for head in table.select("thead th")]
    assert heads[:4] == ["cell r1c1", "row 1 6", "col 1 6", "box 1 6"]
    assert table.select_one(".matrix__chosen th").get_text() == "6 in r1c1"


def test_d_draws_the_way_to_a_layout_with_its_edges(guest: Visitor) -> None:
    nodes = TRACES["min_candidates"](engine.parse(EXAMPLE)).nodes
    guest.get(address(system="d", step=4))
    (now,) = guest.page.select(".tree__node--now")
    assert now.select_one(".tree__figures").get_text() == f"({nodes[4].blanks}, {nodes[4].fewest})"
    assert now.select_one(".tree__text").get_text() == (
        f"{engine.geometry.cell_name(nodes[4].cell)}={nodes[4].digit}"
    )
    dead = next(at for at, node in enumerate(nodes) if node.dead)
    guest.get(address(system="d", step=dead))
    assert guest.page.select(".tree__node--now.tree__node--dead .tree__cross")


def test_e_shows_its_rounds_and_then_its_stack(guest: Visitor) -> None:
    trace = TRACES["propagation"](engine.parse(EXAMPLE))
    rounds = len(trace.rounds)
    guest.get(address(system="e", step=1))
    assert said(guest).startswith("Round 1 fixes")
    assert guest.page.select(".pencil")
    assert "有限递推" in guest.get(address(system="e")).text
    assert not guest.page.select(".lab__stack")
    guest.get(address(system="e", step=rounds + 2))
    assert said(guest).startswith(("Push", "Nothing more fits"))
    assert guest.page.select(".lab__stack li")


def test_htmx_gets_the_panel_alone(guest: Visitor) -> None:
    page = guest.get(address(system="c", step=3))
    part = guest.get(address(system="c", step=3), **{"HX-Request": "true"})
    panel, _mark, spoken = part.text.partition('<p id="lab-status"')
    assert panel.lstrip().startswith("<nav")
    assert panel.strip() in page.text
    assert said(guest) in spoken


@pytest.mark.parametrize(
    "query",
    [{"system": "z"}, {"step": "x"}, {"step": "-3"}, {"step": "9" * 30}],
)
def test_what_an_address_does_not_mean_falls_back(guest: Visitor, query: dict[str, str]) -> None:
    assert guest.get(address(**query)).status_code == 200
    assert guest.page.select_one(".lab__bench")["data-system"] == "a"


def test_a_step_beyond_the_last_is_the_last(guest: Visitor) -> None:
    guest.get(address(system="e", step=2**31 - 1))
    bench = guest.page.select_one(".lab__bench")
    assert bench["data-step"] == bench["data-count"]


# Entered puzzles


def test_a_text_in_any_layout_is_taken_and_the_example_without_one(guest: Visitor) -> None:
    lines = "%0A".join(EXAMPLE[row : row + 9] for row in range(0, 81, 9))
    for path in (f"/lab?grid={lines}", "/lab?system=a"):
        assert guest.get(path).status_code == 200
        assert board(guest) == EXAMPLE


@pytest.mark.parametrize(
    ("grid", "said_there"),
    [
        ("hello", "no puzzle in this text"),
        ("77" + EASY[2:], "7 appears in r1c1, r1c2 and r1c4"),
        (solution_of(EASY), "nothing to solve"),
    ],
)
def test_what_cannot_be_run_is_said_beside_its_field(guest: Visitor, grid: str, said_there: str) -> None:
    assert guest.get(f"/lab?grid={grid}").status_code == 422
    assert said_there in words(guest, "#wrong-grid")
    assert guest.page.find(id="grid")["aria-invalid"] == "true"
    assert guest.page.find(id="grid").get_text() == grid


# Bounds


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("line", ["." * 81, NO_SOLUTION, SEVERAL], ids=["empty", "none", "several"])
def test_a_puzzle_with_no_or_several_solutions_is_shown_as_far_as_it_goes(
    guest: Visitor, line: str, letter: str
) -> None:
    for step in (0, 1, 2**31 - 1):
        assert guest.get(address(line, system=letter, step=step)).status_code == 200
    caption = guest.page.select_one(".lab__table caption").get_text()
    assert ("no solution" if line == NO_SOLUTION else "several solutions") in caption


def test_a_long_run_is_cut_off_and_says_so(guest: Visitor) -> None:
    guest.get(address(NO_SOLUTION, system="a", step=2**31 - 1))
    notices = [tag.get_text(strip=True) for tag in guest.page.select(".lab__notice")]
    assert notices == [
        "This run has more steps. The first 2,000 are shown.",
        "The search was stopped after 1,000,000 nodes.",
    ]
    guest.get(address("." * 81, system="d"))
    assert "100,000 nodes" in guest.page.select(".lab__notice")[1].get_text()


def test_a_page_spends_so_much_of_a_processor_and_leaves_the_rest_out(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "PROCESSOR", 0.0)
    assert guest.get(address(system="c")).status_code == 200
    assert set(figures(guest).values()) == {"–"}
    assert said(guest).startswith("The whole matrix")  # the watched one is there
    monkeypatch.undo()
    guest.get(address(system="c"))
    assert "–" not in figures(guest).values()


def test_an_address_has_so_much_time_for_solving_and_making(
    guest: Visitor, other: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LAB", replace(limits.LAB, capacity=1, shared=0))
    assert guest.get(address()).status_code == 200
    with guest.app.app_context():
        limits.owe([limits.Taker(limits.LAB, "10.0.0.9", 1.0)], SetClock.time)
    guest.address = "10.0.0.9"
    for step in range(5):
        assert guest.get(address(step=step)).status_code == 200  # nothing is run again
    refused = guest.get(address(EASY))
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert guest.get("/lab/make?seed=77").status_code == 429
    other.address = "10.1.2.3"
    assert other.get(address(EASY)).status_code == 200


def test_what_is_kept_is_bounded() -> None:
    kept = lab.Kept(2)
    for key in (1, 2, 1, 3):
        kept.of(key, lambda key=key: key)
    assert [key in kept for key in (1, 2, 3)] == [True, False, True]


def test_while_kernels_are_compiled_it_asks_to_come_back(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "ready", lambda: False)
    response = guest.get(address())
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")


# Dailies


@pytest.mark.slow
def test_nothing_is_shown_of_a_daily_that_is_open_in_whatever_form(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    """Each form is requested in some of the ways in alternation; THOROUGH=1 requests all."""
    givens = open_daily(app)
    solution = solution_of(givens)
    empty = givens.index(".")
    lines = [
        givens,
        givens[:empty] + solution[empty] + givens[empty + 1 :],
        *(turn(givens) for turn in TURNS),
    ]
    for turned, line in enumerate(lines):
        ways = [(letter, step) for letter in LETTERS for step in ("0", "1", "40", "999999")]
        for letter, step in ways[:: 1 if THOROUGH else 7 - turned % 2]:
            path = f"/lab?grid={line}&system={letter}&step={step}"
            for headers in ({}, {"HX-Request": "true"}):
                response = guest.get(path, **headers)
                assert response.status_code in (409, 422), path
                assert "daily" in response.text
                assert not guest.page.select(".board, svg.tree, svg.matrix, .lab__said")
        assert guest.get(f"/lab/solution?grid={line}").status_code in (409, 422)
    clock.time = at(hours=48)
    for line in lines:
        assert guest.get(address(line)).status_code == 200


def test_a_future_daily_is_not_shown_either(app: Flask, guest: Visitor) -> None:
    givens = open_daily(app, at(days=7).date())
    assert guest.get(address(givens)).status_code == 422
    assert guest.get(address(givens[::-1])).status_code == 422
