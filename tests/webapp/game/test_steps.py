"""Every step the engine finds is told in full by the template of its technique, and drawn on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.support import Translations
from bs4 import BeautifulSoup
from flask import Flask
from flask_babel import Domain
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import engine
from engine.branches import Link
from engine.techniques.implications import ASSUMED
from tests.technique_cases import KEY_OF_CODE, Case, read_cases
from tests.thorough import amount
from tests.toy_technique import CORNER_SINGLE
from webapp.game.steps import StepView, technique_name
from webapp.process.config import ROOT
from webapp.process.words import speaking
from webapp.web.extensions import babel
from webapp.web.i18n import catalogs
from webapp.web.i18n.lists import each, listed, listed_lists

TEMPLATES = ROOT / "templates" / "game" / "steps"
OWN_CASES = read_cases(ROOT / "tests" / "data" / "technique_cases.txt")
PUZZLES = 6  # generated ones whose paths are told
CASES_OF_A_TECHNIQUE = amount("CASES", 1, 3)  # of the library, spread over its lines
STEPS_OF_A_CASE = amount("STEPS", 2, 3)


class Pseudo:
    """A language whose words come in the opposite order: every sentence between its own brackets."""

    def ugettext(self, text: str) -> str:
        return "⟦" + "".join(reversed(re.split(r"(%\(\w+\)s)", text))) + "⟧"

    def ungettext(self, one: str, many: str, number: int) -> str:
        return self.ugettext(one if number == 1 else many)

    def upgettext(self, _context: str, text: str) -> str:
        return self.ugettext(text)

    def unpgettext(self, _context: str, one: str, many: str, number: int) -> str:
        return self.ungettext(one, many, number)


@pytest.fixture(scope="module")
def app() -> Flask:
    """As much of the site as templates of steps need."""
    app = Flask("webapp", root_path=str(ROOT / "webapp"), template_folder=str(ROOT / "templates"))
    babel.init_app(app)
    app.jinja_env.globals.update(each=each, listed=listed, listed_lists=listed_lists)
    return app


@pytest.fixture(scope="module")
def strict(app: Flask) -> Environment:
    """The site's templates, to which nothing may be left unsaid; compiled once for all tests."""
    return app.jinja_env.overlay(undefined=StrictUndefined)


@pytest.fixture
def templates(app: Flask, strict: Environment) -> Iterator[Environment]:
    """The templates while a request is answered."""
    with app.test_request_context():
        yield strict


def told(templates: Environment, step: engine.Step, position: engine.Position | None = None) -> BeautifulSoup:
    view = StepView(step, position)
    return BeautifulSoup(templates.get_template(view.template).render(step=view), "html.parser")


def spots(page: BeautifulSoup) -> list[set[int]]:
    return [{int(cell) for cell in str(spot["data-cells"]).split(",")} for spot in page.select(".spot")]


def failures(templates: Environment, step: engine.Step) -> list[str]:
    """What is wrong with how a step is told and drawn."""
    page = told(templates, step)
    for title in page.select("summary, code"):
        title.decompose()
    text = " ".join(page.get_text().split())
    found = []
    named = {cell for cells in spots(page) if len(cells) == 1 for cell in cells}
    for cell, digit in sorted(step.placements | step.eliminations):
        if cell not in named:
            found.append(f"cell {cell} is not named")
        if not page.find("b", class_="digit", string=str(digit)):
            found.append(f"digit {digit} is not named")
    if any(not cells <= {*range(81)} or not cells for cells in spots(page)):
        found.append("a hot-spot lies outside of the board")
    if not re.search(r"[.!?。！？]$", text.split("⟦")[0]) or re.search(
        r" [,.;:]|,,|\.\.|  |\(\)|None|<", text
    ):
        found.append("the sentences are not well set")
    view = StepView(step)
    where = BeautifulSoup(templates.get_template("game/steps/_where.html").render(step=view), "html.parser")
    if not spots(where) or where.select("b") or view.name.lower() in where.get_text().lower():
        found.append("where to look says too little or too much")
    found += [
        f"drawn outside of the board: {number}"
        for number in _drawn(templates, view)
        if not -1 <= number <= 91
    ]
    return [f"{fault}: {text} [{step}]" for fault in found]


def _drawn(templates: Environment, view: StepView) -> Iterator[float]:
    drawing = BeautifulSoup(
        templates.get_template("game/steps/_overlay.html").render(step=view), "html.parser"
    )
    assert drawing.svg is not None
    assert not drawing.select("[style]")
    for shape in drawing.svg.find_all(["rect", "circle", "text"]):
        for name in ("x", "y", "cx", "cy"):
            if shape.has_attr(name):
                yield float(str(shape[name]))
    for path in drawing.svg.select(".overlay__head"):
        yield from map(float, re.findall(r"-?\d+\.\d+", str(path["d"])))
    for line in view.overlay.lines:
        yield from (number for point in line.curve for number in point)


def find(key: str, number: int = 0) -> engine.Step:
    """A step of the committed case of a technique."""
    (case, *_) = [case for case in OWN_CASES if case.technique == key]
    return engine.find(case.position, key)[number]


@cache
def path_steps() -> list[engine.Step]:
    """The steps along the paths of generated puzzles."""
    puzzles = (engine.generate(engine.Recipe(minimal=True), seed) for seed in range(PUZZLES))
    return [step for puzzle in puzzles for step in engine.solve_path(puzzle.grid).steps]


@cache
def of_every_technique() -> list[engine.Step]:
    """A step of each of our own cases, and some of those along paths."""
    return path_steps()[::5] + [step for case in OWN_CASES for step in steps_of(case)[:1]]


def steps_of(case: Case) -> list[engine.Step]:
    """A few of the steps a case finds, among them those with the most to tell."""
    if case.technique not in engine.TECHNIQUES:
        return []
    found = engine.find(case.position, case.technique)
    stated = [step for step in found if case.holds([step])]
    longest = sorted(found, key=lambda step: len(step.cells) + len(step.links), reverse=True)
    return (stated[:1] + longest)[:STEPS_OF_A_CASE]


def test_every_technique_has_a_name_of_its_own(app: Flask) -> None:
    with app.test_request_context():
        assert len({technique_name(key) for key in engine.TECHNIQUES}) == len(engine.TECHNIQUES)


def test_every_name_is_found_by_whoever_collects_what_is_to_be_translated() -> None:
    found = extract_from_dir(ROOT / "engine" / "techniques", [("**.py", "python")])
    assert {technique.name for technique in engine.TECHNIQUES.values()} <= {
        text for _, _, text, _, _ in found
    }


def test_a_name_is_told_in_the_readers_language(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Domain, "get_translations", lambda _self: Pseudo())
    with app.test_request_context():
        assert technique_name("x_wing") == "⟦X-Wing⟧"


def test_a_technique_nobody_knows_has_no_name() -> None:
    with pytest.raises(KeyError):
        technique_name("guessing")


def test_every_technique_has_a_template_and_no_template_is_left_over() -> None:
    named = {technique.template for technique in engine.TECHNIQUES.values()}
    assert {path.stem for path in TEMPLATES.glob("[!_]*.html")} == named


def test_no_template_only_names_another() -> None:
    short = [path.stem for path in TEMPLATES.glob("*.html") if len(path.read_text().splitlines()) == 1]
    assert short == []


def test_a_technique_added_by_its_recipe_is_named_told_and_drawn(templates: Environment) -> None:
    remove = engine.techniques.register(CORNER_SINGLE)
    try:
        position = engine.Position.from_grid(engine.parse(81 * ".")).changed(
            [], [(0, digit) for digit in range(2, 10)]
        )
        (step,) = engine.find(position, CORNER_SINGLE.key)
        assert failures(templates, step) == []
        assert StepView(step, position).name == CORNER_SINGLE.name
    finally:
        remove()


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.stem)
def test_no_template_lets_text_through_unescaped(path: Path) -> None:
    assert not re.search(r"\bsafe\b|autoescape", path.read_text())


def test_every_step_on_the_way_of_generated_puzzles_is_told(templates: Environment) -> None:
    assert [fault for step in path_steps() for fault in failures(templates, step)] == []


@pytest.mark.slow
@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case.technique)
def test_every_step_of_our_own_cases_is_told(templates: Environment, case: Case) -> None:
    assert [fault for step in steps_of(case) for fault in failures(templates, step)] == []


def test_every_technique_has_a_case_of_our_own() -> None:
    assert {case.technique for case in OWN_CASES} == {*engine.TECHNIQUES}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("key", sorted(set(KEY_OF_CODE.values()) & set(engine.TECHNIQUES)))
def test_the_steps_of_the_library_are_told(templates: Environment, key: str, data: Path) -> None:
    cases = [case for case in _library(data) if case.technique == key and not case.silent]
    sample = cases[:: max(1, len(cases) // CASES_OF_A_TECHNIQUE)][:CASES_OF_A_TECHNIQUE]
    steps = [step for case in sample for step in steps_of(case)]
    assert steps
    assert [fault for step in steps for fault in failures(templates, step)] == []


@cache
def _library(data: Path) -> list[Case]:
    return read_cases(data / "technique_cases.txt")


def test_every_sentence_can_be_translated_with_its_words_in_another_order(
    templates: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Domain, "get_translations", lambda _self: Pseudo())
    for step in of_every_technique():
        page = told(templates, step)
        for spot in page.select(".spot, .digit, code"):
            spot.string = ""
        outside = page.get_text()
        while "⟦" in outside:
            outside, before = re.sub(r"⟦[^⟦⟧]*⟧", "", outside), outside
            assert outside != before
        outside = re.sub(r"\b(and|or)\b|[,;]", "", outside)  # lists, by CLDR
        assert not outside.strip(), f"not translated in {step.technique}: {outside}"
        assert {cell for cell, _ in step.placements | step.eliminations} <= set().union(
            *spots(told(templates, step))
        )


@pytest.mark.parametrize("code", catalogs.codes(catalogs.CATALOGS))
def test_every_technique_is_told_in_every_language(
    templates: Environment, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """An incomplete catalog is checked as far as it goes."""
    compiled = BytesIO()
    write_mo(compiled, catalogs.catalog(catalogs.CATALOGS, code))
    translations = Translations(BytesIO(compiled.getvalue()))
    monkeypatch.setattr(Domain, "get_translations", lambda _self: translations)
    with speaking(code):
        assert [fault for step in of_every_technique() for fault in failures(templates, step)] == []


def test_a_full_stop_stays_on_the_line_of_the_hot_spot_before_it(templates: Environment) -> None:
    page = told(templates, find("naked_pair"))
    for spot in page.select("button.spot"):
        together = spot.parent is not None and spot.parent.get("class") == ["spot__end"]
        following = spot.next_sibling
        assert together == (following is not None and str(following)[0] in ",;.")


def test_two_letters_of_chinese_take_as_long_as_a_word() -> None:
    assert not StepView.is_long(Markup("<p>字</p>") * StepView.LONG)
    assert StepView.is_long(Markup("字。") * (2 * StepView.LONG + 1))
    assert StepView.is_long(Markup("word ") * (StepView.LONG + 1))


def test_a_hidden_single_of_a_box_points_to_the_box_alone() -> None:
    where = StepView(find("hidden_single")).where
    assert [(house.kind, house.number) for house in where.houses] == [("box", 5)]
    assert len(where.cells) == 9


def test_a_pointing_pair_is_drawn_with_its_box_its_line_and_what_goes() -> None:
    view = StepView(find("pointing"))
    drawn = view.overlay
    assert {(ring.cell, ring.digit) for ring in drawn.rings} == {(cell, view.digit) for cell in view.pattern}
    assert {(ring.cell, ring.digit) for ring in drawn.removed} == view.step.eliminations
    assert [frame.role for frame in drawn.houses] == [1, 2]


def test_a_placed_digit_stands_in_the_middle_of_its_cell_without_rings() -> None:
    view = StepView(find("naked_single"))
    assert [(ring.cell, ring.digit) for ring in view.overlay.placed] == [*view.placements]
    assert view.overlay.rings == ()


def test_every_link_of_a_loop_is_drawn_once() -> None:
    steps = engine.find(OWN_CASES[0].position, "bidirectional_cycle")
    assert steps
    for step in steps:
        view = StepView(step)
        assert len(view.overlay.lines) == len(view.loop_on) + len(view.loop_off)


def test_a_group_of_a_chain_is_named_by_the_cells_that_hold_the_digit() -> None:
    position = engine.Position.from_grid(engine.parse(81 * "."))
    one_gone = position.changed([], [(1, 5)])
    group = 2 * (729 + 54 * 4) + 1  # 5 in the first three cells of row 1
    step = engine.Step(
        "grouped_aic", frozenset(), frozenset({(9, 5)}), (), (), (), (Link(-1, group, ASSUMED),), 0, 1
    )
    assert StepView(step).branches[0].assumption.cells == (0, 1, 2)
    assert StepView(step, one_gone).branches[0].assumption.cells == (0, 2)


def test_the_digits_that_leave_a_single_one_place_are_named(templates: Environment) -> None:
    # 1 in row 1, row 2 and column 1 leaves r3c2 and r3c3 of box 1; the 5 takes r3c3.
    rows = ["...1.....", "......1..", "..5......", *3 * ["........."], "1........", *2 * ["........."]]
    position = engine.Position.from_grid(engine.parse("".join(rows)))
    (step,) = (step for step in engine.find(position, "hidden_single") if step.houses[0].house == 18)
    assert StepView(step, position).witnesses == (3, 15, 54)
    assert {3, 15, 54} <= set().union(*spots(told(templates, step, position)))


def test_marks_that_have_a_say_in_a_single_leave_it_without_witnesses() -> None:
    position = engine.Position.from_grid(engine.parse(81 * ".")).changed(
        [], [(0, digit) for digit in range(2, 10)]
    )
    (step,) = engine.find(position, "naked_single")
    assert StepView(step, position).witnesses == ()


@pytest.mark.parametrize("key", ["x_chain", "continuous_nice_loop", "forcing_net_verity"])
def test_the_links_of_a_proof_are_numbered_behind_a_short_form(templates: Environment, key: str) -> None:
    step = find(key)
    page = told(templates, step)
    (short, *_) = page.select(".step > p")
    assert page.select_one(".step > details > summary")
    assert not short.find_parent("details")
    assert len(short.get_text().split()) <= 40
    numbers = [int(str(item["data-step"])) for item in page.select("ol.steps > li[data-step]")]
    branches = StepView(step).branches
    links = (
        len(branches[0].inferences) if "net" not in key else sum(len(each.inferences) for each in branches)
    )
    assert numbers == [*range(1, links + 1)]
    assert page.select("ol.steps li")[0].get_text().strip().startswith("Suppose")


@cache
def hard_chains() -> tuple[engine.Position, list[engine.Step]]:
    """A cell of four candidates, two of which lead on alike; and nets, where the first four tiers end."""
    position = engine.Position.from_grid(engine.generate(engine.Recipe(er=(8.0, 9.5)), 50).grid)
    while (step := engine.next_step(position)) and engine.TECHNIQUES[step.technique].tier < 5:
        position = position.after(step)
    kinds = ("cell_forcing_chain", "dynamic_forcing_chain")
    return position, [step for key in kinds for step in engine.find(position, key)[:10]]


def test_what_branches_share_is_told_once(templates: Environment) -> None:
    position, steps = hard_chains()
    texts = [told(templates, step, position).get_text() for step in steps]
    assert any("From here, it goes on as before." in text for text in texts)


def test_a_net_leaves_out_what_a_true_digit_rules_out(templates: Environment) -> None:
    position, steps = hard_chains()
    nets = [step for step in steps if step.technique == "dynamic_forcing_chain"]
    assert nets
    for step in nets:
        view = StepView(step, position)
        items = told(templates, step, position).select("li[data-step]")
        ends = {claim for branch in view.branches for claim in (branch.clash or (branch.end,))}
        plain = [each for each in view.proof_steps.steps if not each.inference.result.on]
        assert all(each.inference.result in ends or not each.inference.premises[0].on for each in plain)
        assert len(items) == len(view.proof_steps.steps) < view.inferences
        drawn = {number for line in view.overlay.lines for number in line.steps}
        assert drawn <= {*range(1, len(items) + 1)}


def test_a_text_of_a_few_sentences_is_told_at_once(templates: Environment) -> None:
    assert not told(templates, find("naked_pair")).select("details")


def test_a_chain_can_be_read_in_eureka_notation(templates: Environment) -> None:
    page = told(templates, find("skyscraper"))
    assert page.select("details code")[0].get_text() == "(9)r3c3=(9)r3c7-(9)r6c7=(9)r6c1 => r1c1,r5c3<>9"
    assert not told(templates, find("naked_pair")).select("code")


def test_extra_candidates_of_one_digit_are_told_as_several(templates: Environment) -> None:
    step = find("bug_lite")
    (extra,) = StepView(step).guardians
    assert (extra.digits, len(extra.cells)) == ((3,), 2)
    assert "So at least one of the extra candidates is true" in told(templates, step).get_text()
    assert "So the extra candidate must be true" in told(templates, find("tridagon")).get_text()


def test_two_strong_links_are_told_by_the_name_of_their_geometry(templates: Environment) -> None:
    # The committed case: box 2 and column 2 over row 1.
    step = find("strong_links_2")
    assert StepView(step).name == "Turbot Fish"
    named = told(templates, step).get_text()
    assert all(cell in named for cell in ("r3c4", "r1c5", "r1c2", "r4c2"))


def test_a_group_in_two_strong_links_is_named_and_told_as_one(templates: Environment) -> None:
    gone = [(cell, 5) for cell in range(9) if cell not in (3, 4, 8)]
    gone += [(cell, 5) for cell in range(36, 45) if cell not in (40, 44)]
    position = engine.Position.from_grid(engine.parse(81 * ".")).changed([], gone)
    (step, *_) = [
        step
        for step in engine.find(position, "strong_links_2")
        if StepView(step).name == "Grouped Skyscraper"
    ]
    assert "r1c45" in told(templates, step, position).get_text()


def test_a_branch_that_contradicts_itself_is_told_apart_from_those_that_agree(templates: Environment) -> None:
    def literal(cell: int, digit: int, on: bool) -> int:
        return 2 * (9 * cell + digit - 1) + on

    links = (
        Link(-1, literal(0, 1, True), ASSUMED),
        Link(literal(0, 1, True), literal(8, 1, False), 0),
        Link(-1, literal(8, 1, True), ASSUMED),
        Link(literal(8, 1, True), literal(80, 1, False), 17),
        Link(literal(80, 1, False), literal(8, 1, False), 17),
    )
    step = engine.Step("forcing_chain_verity", frozenset(), frozenset({(1, 1)}), (1,), (), (), links, 0, 3)
    assert failures(templates, step) == []
    assert "contradict" in told(templates, step).get_text()
    assert StepView(step).assumed_house.number == 1
