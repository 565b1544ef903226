"""The laboratory: which puzzles it accepts, what it shows of each system, and what it never shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from bs4 import Tag
from flask import Flask

import engine
from engine import warm
from engine.generation.methods import METHODS
from engine.traces import TRACES
from tests.thorough import THOROUGH
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.solves import add_daily, at
from tests.webapp.visitors import SetClock, Visitor
from webapp.models import Daily, Puzzle
from webapp.play.lab import lab
from webapp.play.lab.lab import SYSTEMS
from webapp.play.lab.routes import EXAMPLE
from webapp.process.database import db

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
    lab._runs._values.clear()
    lab._traces._values.clear()


def address(grid: str = EXAMPLE, **query: object) -> str:
    return "/lab?" + "&".join(f"{name}={value}" for name, value in {"grid": grid, **query}.items())


def said(visitor: Visitor) -> str:
    return visitor.page.select_one("#lab-said").get_text()


def board(visitor: Visitor) -> str:
    return "".join(str(cell.get("data-digit", ".")) for cell in visitor.page.select("#board .cell"))


def figures(visitor: Visitor) -> dict[str, str]:
    return {
        row.select_one(".lab__letter").get_text(): row.select_one("td").get_text(" ")
        for row in visitor.page.select(".lab__table tbody tr")
    }


def facts(visitor: Visitor) -> dict[str, str]:
    found = visitor.page.select(".lab__right .facts div")
    return {part.dt.get_text(): part.dd.get_text() for part in found}


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/lab").status_code == 200
    assert guest.page.select("form.lab__form")
    words = guest.page.get_text()
    for system in SYSTEMS.values():
        assert system.method.text.title in words
        assert system.solver_source in words
    guest.get("/about")
    assert guest.page.select("main a[href='/lab']")


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
        assert link is not None
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
    (notice,) = [tag.get_text() for tag in guest.page.select(".lab__notice")]
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
    rows = guest.page.select_one(".lab__digits").get_text()
    assert rows.replace("\n", "") == solution_of(EXAMPLE)
    saved = guest.get(str(guest.page.select_one(".lab__solution a")["href"]))
    assert saved.headers["Content-Disposition"] == "attachment; filename=solution.txt"
    assert saved.text == rows + "\n"


def test_a_grid_with_several_solutions_has_none_to_save(guest: Visitor) -> None:
    assert guest.get(f"/lab/solution?grid={SEVERAL}").status_code == 404
    guest.get(address(SEVERAL))
    assert guest.page.select(".lab__solution") == []


def test_the_five_stand_side_by_side_with_their_own_measures(guest: Visitor) -> None:
    grid = engine.parse(EXAMPLE)
    measures = {letter: TRACES[system.key](grid).measures for letter, system in SYSTEMS.items()}
    guest.get(address())
    shown = figures(guest)
    assert f"{measures['a']['searches']:,} searches" in shown["A"]
    assert f"score {measures['a']['score']}" in shown["A"]
    assert f"level {measures['a']['level']}" in shown["A"]
    assert f"{measures['b']['steps']} steps" in shown["B"]
    assert f"D {measures['b']['difficulty']:.2f}" in shown["B"]
    assert f"level {measures['b']['level']}" in shown["B"]
    assert f"{measures['c']['nodes']:,} nodes" in shown["C"]
    assert f"{measures['c']['updates']:,} updates" in shown["C"]
    assert f"{measures['d']['layouts']:,} layouts" in shown["D"]
    assert f"grade {measures['d']['grade']}" in shown["D"]
    assert f"{measures['e']['rounds']} rounds" in shown["E"]
    assert f"{measures['e']['nodes']:,} nodes" in shown["E"]
    times = [cell.get_text() for cell in guest.page.select(".lab__table td.table__figure")]
    assert len(times) == 5
    assert all(re.fullmatch(r"[\d.,]+ ms", time) for time in times)


def test_a_shows_its_searches_and_what_the_paper_scores(guest: Visitor) -> None:
    guest.get(address(system="a", step=3))
    assert said(guest) == "Search 3: write 4 in r1c7."
    assert facts(guest)["Searches so far"] == "3"
    rows = [
        [cell.get_text() for cell in row.select("td")] for row in guest.page.select(".lab__parts tbody tr")
    ]
    givens = 81 - EXAMPLE.count(".")
    assert rows[0][0] == str(givens)
    assert len(rows) == 3
    assert [row[2] for row in rows] == ["0.4", "0.3", "0.3"]
    assert "in the paper" in guest.page.select_one(".lab__right").get_text()


def test_b_shows_its_rules_with_n1_to_n14_d_and_its_level(guest: Visitor) -> None:
    trace = TRACES["weighted_rules"](engine.parse(EXAMPLE))
    guest.get(address(system="b", step=len(trace)))
    rows = guest.page.select(".lab__rules tbody tr")
    assert [int(row.select("td")[1].get_text()) for row in rows] == list(trace.counts)
    assert [int(row.select("td")[2].get_text()) for row in rows] == list(trace.counts)
    assert facts(guest)["D so far"] == f"{trace.steps[-1].difficulty:.2f}"
    assert facts(guest)["D of the canonical form"] == f"{trace.measures['difficulty']:.2f}"
    assert rows[0].select_one("bdi").get_text() == "显式唯一候选数法"
    assert facts(guest)["Level"] == f"{trace.measures['level']} of 5"
    assert guest.page.select_one(".lab__told .step") is not None
    assert guest.page.select_one("#overlay") is not None


@pytest.mark.parametrize(("letter", "searched"), [("a", "Searches"), ("d", "Layouts"), ("e", "Searches")])
def test_a_d_and_e_show_their_three_figures_with_weights_and_sum(
    guest: Visitor, letter: str, searched: str
) -> None:
    guest.get(address(system=letter, step=1))
    names = [cell.get_text() for cell in guest.page.select(".lab__parts tbody th")]
    assert names == ["Givens", "Fewest givens in a line", f"{searched} of the canonical form"]
    rows = [
        [cell.get_text() for cell in row.select("td")] for row in guest.page.select(".lab__parts tbody tr")
    ]
    total = sum(float(score) * float(weight) for _value, score, weight in rows)
    assert f"Score {total:.1f}: " in guest.page.select_one(".lab__right").get_text()


def test_a_text_is_named_in_its_own_language(guest: Visitor) -> None:
    guest.get(address(system="a", step=1))
    assert guest.page.select_one('.lab__sources bdi[lang="zh"]').get_text() == (
        "薛源海, 蒋彪彬, 李永卓: 基于“挖洞”思想的数独游戏生成算法"
    )
    words = guest.page.select_one(".lab__parts + p").get_text()
    assert re.search(
        "“(低级|初级|中级|高级|骨灰级) [(](low|beginner|medium|high|evil)[)]” in the paper", words
    )


def test_a_chinese_reader_sees_the_texts_own_words_alone(guest: Visitor) -> None:
    guest.get(address(system="a", step=1), **{"Accept-Language": "zh-CN"})
    assert re.search("(低级|初级|中级|高级|骨灰级)[”」]", guest.page.select_one(".lab__parts + p").get_text())
    guest.get(address(system="b", step=1), **{"Accept-Language": "zh-CN"})
    assert guest.page.select(".lab__rules tbody th")[1].get_text().split() == ["n2", "隐式唯一候选数法"]


@pytest.mark.parametrize("view", ["", "whole"])
def test_c_draws_what_is_left_of_the_matrix_and_what_a_step_covers(guest: Visitor, view: str) -> None:
    guest.get(address(system="c", step=1, view=view))
    assert said(guest).startswith(
        "Given r1c1=6: cover cell r1c1 filled, 6 in row 1, 6 in column 1 and 6 in box 1"
    )
    assert facts(guest)["Columns left"] == "320"
    assert len(guest.page.select(".matrix .matrix__band")) == 5  # four columns, and the row
    (path,) = guest.page.select(".matrix__left")
    assert str(path["d"]).count("M") == 4 * int(facts(guest)["Rows left"])


def test_d_draws_the_tree_with_its_edges_nodes_dead_ends_and_solution(guest: Visitor) -> None:
    guest.get(address(system="d", step=4, view="whole"))
    trace = TRACES["min_candidates"](engine.parse(EXAMPLE))
    nodes = trace.nodes
    drawn = guest.page.select(".tree__node")
    assert len(drawn) == len(nodes)
    texts = [node.select_one(".tree__figures").get_text() for node in drawn]
    assert texts == [f"({node.blanks}, {node.fewest})" for node in nodes]
    assert len(guest.page.select(".tree__node--dead")) == sum(node.dead for node in nodes) > 0
    assert len(guest.page.select(".tree__node--final")) == 1
    edges = {text.get_text() for text in guest.page.select("svg.tree > .tree__text")}
    assert f"{engine.geometry.cell_name(nodes[1].cell)}={nodes[1].digit}" in edges
    assert len(guest.page.select(".tree__node--now")) == 1


def test_e_shows_its_rounds_and_then_its_stack(guest: Visitor) -> None:
    trace = TRACES["propagation"](engine.parse(EXAMPLE))
    rounds = len(trace.rounds)
    guest.get(address(system="e", step=1))
    assert said(guest).startswith("Round 1 fixes")
    assert guest.page.select(".pencil")
    assert not guest.page.select(".lab__stack")
    guest.get(address(system="e", step=rounds + 2))
    assert said(guest).startswith(("Push", "Nothing more fits"))
    assert guest.page.select(".lab__stack tbody tr")


def test_htmx_gets_the_panel_alone(guest: Visitor) -> None:
    page = guest.get(address(system="c", step=3))
    part = guest.get(address(system="c", step=3), **{"HX-Request": "true"})
    panel, _mark, spoken = part.text.partition('<p id="lab-status"')
    assert panel.lstrip().startswith("<nav")
    assert panel.strip() in page.text
    assert said(guest) in spoken


@pytest.mark.parametrize(
    "query",
    [{"system": "z"}, {"step": "x"}, {"step": "-3"}, {"zoom": "99"}, {"view": "x"}, {"step": "9" * 30}],
)
def test_what_an_address_does_not_mean_falls_back(guest: Visitor, query: dict[str, str]) -> None:
    assert guest.get(address(**query)).status_code == 200
    assert guest.page.select_one(".lab__bench")["data-system"] == "a"


def test_a_step_beyond_the_last_is_the_last(guest: Visitor) -> None:
    guest.get(address(system="e", step=2**31 - 1))
    bench = guest.page.select_one(".lab__bench")
    assert bench is not None
    assert bench["data-step"] == bench["data-count"]


# Entered puzzles


def brought(visitor: Visitor, **fields: object) -> str:
    """Submit a form. Returns the line it leads to."""
    response = visitor.post("/lab", fields)
    assert response.status_code == 303, wrong(visitor)
    return parse_qs(urlsplit(response.location).query)["grid"][0]


def wrong(visitor: Visitor) -> dict[str, str]:
    """Return the form's errors, by field."""
    found: list[Tag] = visitor.page.select(".field__wrong")
    return {str(tag["id"]).removeprefix("wrong-"): tag.get_text() for tag in found}


def file_of(text: str | bytes) -> tuple[BytesIO, str]:
    return BytesIO(text.encode() if isinstance(text, str) else text), "puzzle.txt"


def test_a_text_a_number_and_a_file_are_taken(guest: Visitor) -> None:
    assert brought(guest, grid=EXAMPLE) == EXAMPLE
    assert brought(guest, grid="\n".join(EXAMPLE[row : row + 9] for row in range(0, 81, 9))) == EXAMPLE
    assert brought(guest, file=file_of(EXAMPLE)) == EXAMPLE
    assert brought(guest, file=file_of(f"# two\n{EXAMPLE}\n{EASY}\n")) == EXAMPLE
    with guest.app.app_context():
        puzzle = db.session.scalars(sa.select(Puzzle).order_by(Puzzle.id)).first()
        assert puzzle is not None
        number, givens = puzzle.id, puzzle.givens
    assert brought(guest, puzzle=number) == givens
    response = guest.get(f"/lab?puzzle={number}")
    assert parse_qs(urlsplit(response.location).query)["grid"] == [givens]
    with guest.app.app_context():
        assert db.session.get_one(Puzzle, number).shown_at is not None  # so it never becomes a daily


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({}, "grid", "Enter a puzzle"),
        ({"grid": "hello"}, "grid", "row 1, column 1"),
        ({"grid": "77" + EASY[2:]}, "grid", "7 appears in r1c1, r1c2 and r1c4"),
        ({"grid": solution_of(EASY)}, "grid", "nothing to solve"),
        ({"puzzle": "x"}, "puzzle", "like 214"),
        ({"puzzle": "999999"}, "puzzle", "find puzzle 999999"),
        ({"puzzle": "9" * 30}, "puzzle", "like 214"),
        ({"grid": EASY, "puzzle": "1"}, "puzzle", "just one field"),
        ({"grid": EASY, "speed": "9"}, "grid", "no field “speed”"),
    ],
)
def test_what_cannot_be_run_is_said_beside_its_field(
    guest: Visitor, fields: dict[str, str], field: str, words: str
) -> None:
    assert guest.post("/lab", fields).status_code == 422
    assert list(wrong(guest)) == [field]
    assert words in wrong(guest)[field]
    assert guest.page.find(id=field)["aria-invalid"] == "true"
    assert guest.page.find(id="grid").get_text() == fields.get("grid", "")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "There’s no puzzle in this text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "This file isn’t text"),
        (b"." * (64 * 1024 + 1), "over 64 KiB"),
    ],
)
@pytest.mark.parametrize("path", ["/lab", "/enter"])
def test_a_file_without_a_puzzle_is_refused(guest: Visitor, path: str, content: bytes, words: str) -> None:
    response = guest.post(path, {"file": file_of(content)})
    assert response.status_code == (422 if path == "/lab" else 200)
    assert words in guest.page.get_text()


@pytest.mark.parametrize("path", ["/lab", "/enter"])
def test_a_file_far_too_large_is_not_even_read(guest: Visitor, path: str) -> None:
    assert guest.post(path, {"file": file_of(b"." * 200_000)}).status_code == 413


def test_enter_takes_a_file_and_leads_here(guest: Visitor) -> None:
    for htmx in (False, True):
        guest.post("/enter", {"file": file_of(f"{EXAMPLE}\n{EASY}")}, htmx=htmx)
        assert guest.page.find(id="verdict")["data-playable"] == "yes"
        link = guest.page.find("a", string="Laboratory", class_="button")
        assert isinstance(link, Tag)
        assert parse_qs(urlsplit(str(link["href"])).query)["grid"] == [EXAMPLE]
    assert guest.get(str(link["href"])).status_code == 200


# Bounds


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("line", ["." * 81, NO_SOLUTION, SEVERAL], ids=["empty", "none", "several"])
def test_a_puzzle_with_no_or_several_solutions_is_shown_as_far_as_it_goes(
    guest: Visitor, line: str, letter: str
) -> None:
    for step in (0, 1, 2**31 - 1):
        assert guest.get(address(line, system=letter, step=step)).status_code == 200
    lead = guest.page.select_one(".lead")
    assert lead is not None
    assert ("no solution" if line == NO_SOLUTION else "several solutions") in lead.get_text()


def test_a_long_run_is_cut_off_and_says_so(guest: Visitor) -> None:
    guest.get(address(NO_SOLUTION, system="a", step=2**31 - 1))
    assert facts(guest)["Searches in all"] == "over 1,000,000"
    assert "stopped after 1,000,000 searches" in figures(guest)["A"]
    notices = [tag.get_text() for tag in guest.page.select(".lab__notice")]
    assert notices == [
        "This run has more steps. The first 2,000 are shown.",
        "The search was stopped after 1,000,000 nodes.",
    ]
    guest.get(address("." * 81, system="d"))
    notices = [tag.get_text() for tag in guest.page.select(".lab__notice")]
    assert "has several solutions, and its tree has over 100,000 layouts" in notices[1]


def test_a_page_spends_so_much_of_a_processor_and_says_what_it_left_out(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "PROCESSOR", 0.0)
    assert guest.get(address(system="c")).status_code == 200
    assert all("Not run" in words for words in figures(guest).values())
    assert said(guest).startswith("The whole matrix")  # the watched one is there
    monkeypatch.undo()
    guest.get(address(system="c"))
    assert not any("Not run" in words for words in figures(guest).values())


def test_an_address_runs_so_many_puzzles_and_steps_freely(
    guest: Visitor, other: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "RUNS", replace(lab.RUNS, capacity=2, shared=False))
    assert guest.get(address()).status_code == 200
    assert guest.get(address(SEVERAL)).status_code == 200
    for step in range(5):
        assert guest.get(address(step=step)).status_code == 200
    refused = guest.get(address(EASY))
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    other.address = "10.1.2.3"
    assert other.get(address(EASY)).status_code == 200


def test_what_is_kept_is_bounded() -> None:
    kept: lab.Kept[int] = lab.Kept(2)
    for key in (1, 2, 1, 3):
        kept.put(key, key)
    assert [kept.get(key) for key in (1, 2, 3)] == [1, None, 3]


def test_while_kernels_are_compiled_it_asks_to_come_back(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "ready", lambda: False)
    response = guest.get(address())
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")


# Dailies


def every_way(line: str) -> Iterator[str]:
    """Return the addresses that could show a board of this puzzle."""
    for letter in LETTERS:
        for step in ("0", "1", "40", "999999"):
            for more in ("", "&view=whole&zoom=4"):
                yield f"/lab?grid={line}&system={letter}&step={step}{more}"


@pytest.mark.slow
def test_nothing_is_shown_of_a_daily_that_is_open_in_whatever_form(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    """Each form is requested in some of the ways in alternation; THOROUGH=1 requests all."""
    with app.app_context():
        add_daily()
        (givens,) = db.session.scalars(sa.select(Puzzle.givens).join(Daily))
        (number,) = db.session.scalars(sa.select(Daily.puzzle_id))
    solution = solution_of(givens)
    empty = givens.index(".")
    lines = [
        givens,
        givens[:empty] + solution[empty] + givens[empty + 1 :],
        *(turn(givens) for turn in TURNS),
    ]
    for turned, line in enumerate(lines):
        for path in list(every_way(line))[:: 1 if THOROUGH else 7 - turned % 2]:
            for headers in ({}, {"HX-Request": "true"}):
                response = guest.get(path, **headers)
                assert response.status_code in (409, 422), path
                assert "daily" in response.text
                assert not guest.page.select(".board, svg.tree, svg.matrix, .lab__said")
        response = guest.post("/lab", {"grid": line})
        assert response.status_code == 422 or guest.get(response.location).status_code == 409
    guest.post("/lab", {"puzzle": number})
    assert wrong(guest)["puzzle"] == f"Puzzle {number} is a daily whose leaderboard is still open."
    clock.time = at(hours=48)
    for line in lines:
        assert guest.get(address(line)).status_code == 200
    guest.post("/lab", {"puzzle": number})
    assert wrong(guest)["puzzle"] == f"Puzzle {number} is a daily. Start it first."
    guest.start(daily="2026-03-01", level=2)
    assert brought(guest, puzzle=number) == givens


def test_a_future_daily_is_not_shown_either(app: Flask, guest: Visitor) -> None:
    with app.app_context():
        add_daily(at(days=7).date())
        (givens,) = db.session.scalars(sa.select(Puzzle.givens).join(Daily))
        (number,) = db.session.scalars(sa.select(Daily.puzzle_id))
    assert guest.get(address(givens)).status_code == 422
    assert guest.get(address(givens[::-1])).status_code == 422
    guest.post("/lab", {"puzzle": number})
    assert wrong(guest)["puzzle"] == f"We couldn’t find puzzle {number}."
