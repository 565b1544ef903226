"""The template of each technique states a found step in full, and draws it on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO

import pytest
from babel.messages.mofile import write_mo
from babel.support import Translations
from bs4 import BeautifulSoup, Tag
from flask import Flask
from flask_babel import Babel, Domain
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import engine
from engine.drawing import cell_frame
from engine.geometry import HOUSES, HOUSES_OF, cell_name
from engine.steps.branches import Inference, Link
from engine.techniques.implications import ASSUMED
from tests.engine.test_hidden_rectangles import TWO
from tests.technique_cases import Case, read_cases
from tests.thorough import amount, one_in
from tests.toy_technique import CORNER_SINGLE
from webapp.game.steps import StepView, technique_name
from webapp.process.config import ROOT
from webapp.process.words import speaking
from webapp.web.i18n import catalogs
from webapp.web.i18n.lists import each, listed, listed_lists

TEMPLATES = ROOT / "templates" / "game" / "steps"
OWN_CASES = read_cases(ROOT / "tests" / "data" / "technique_cases.txt")
PUZZLES = 6  # generated ones whose paths are rendered
STEPS_OF_A_CASE = amount("STEPS", 2, 3)


class Pseudo:
    """A language with the opposite word order: every sentence in its own brackets."""

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
    """The parts of the site that templates of steps need."""
    app = Flask("webapp", root_path=str(ROOT / "webapp"), template_folder=str(ROOT / "templates"))
    Babel(app)
    words = {"each": each, "listed": listed, "listed_lists": listed_lists}
    app.jinja_env.globals.update(words, cell_name=cell_name, cell_frame=cell_frame)
    return app


@pytest.fixture(scope="module")
def strict(app: Flask) -> Environment:
    """The site's templates with undefined values as errors; compiled once for all tests."""
    return app.jinja_env.overlay(undefined=StrictUndefined)


@pytest.fixture
def templates(app: Flask, strict: Environment) -> Iterator[Environment]:
    """The templates in a request context."""
    with app.test_request_context():
        yield strict


def rendered(
    templates: Environment, step: engine.Step, position: engine.Position | None = None
) -> BeautifulSoup:
    view = StepView(step, position)
    return BeautifulSoup(templates.get_template(view.template).render(step=view), "html.parser")


def rendered_effects(templates: Environment, view: StepView) -> BeautifulSoup:
    """Return the rendered effects of a step alone."""
    words = templates.from_string('{% import "game/steps/_macros.html" as s %}{{ s.effects(step) }}')
    return BeautifulSoup(view.kept_together(Markup(words.render(step=view))), "html.parser")


def said(part: Tag | None) -> str:
    """Return the text of a part of a page, evenly spaced; empty if the part is missing."""
    return "" if part is None else " ".join(part.get_text().split())


def spots(page: BeautifulSoup) -> list[set[int]]:
    return [{int(cell) for cell in str(spot["data-cells"]).split(",")} for spot in page.select(".spot")]


def failures(templates: Environment, step: engine.Step) -> list[str]:
    """Return the errors in a step's text and drawing."""
    page = rendered(templates, step)
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
    reason, effects = said(page.select_one(".step > .step__why")), said(rendered_effects(templates, view))
    if not re.search(r"\w.*[.。⟧]$", reason.removesuffix(effects).strip()) or not reason.endswith(effects):
        found.append("the effect is shown without its reason")
    where = BeautifulSoup(templates.get_template("game/steps/_where.html").render(step=view), "html.parser")
    followed = [str(view.where.digit)] if view.where.digit else []
    if view.branches and not followed:
        found.append("where to look doesn’t say which digit to follow")
    named_digits = [digit.text for digit in where.select("b")]
    if not spots(where) or named_digits != followed or view.name.lower() in where.get_text().lower():
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
    """Return a step of the committed case of a technique."""
    (case, *_) = [case for case in OWN_CASES if case.technique == key]
    return engine.find(case.position, key)[number]


@cache
def path_steps() -> list[engine.Step]:
    """Return the steps along the paths of generated puzzles."""
    puzzles = (engine.generate(engine.Recipe(minimal=True), seed) for seed in range(PUZZLES))
    return [step for puzzle in puzzles for step in engine.solve_path(puzzle.grid).steps]


@cache
def of_every_technique() -> list[engine.Step]:
    """Return a step of each of our own cases, and some of those along paths."""
    return path_steps()[::5] + [step for case in OWN_CASES for step in steps_of(case)[:1]]


def steps_of(case: Case) -> list[engine.Step]:
    """Return a few of the steps of a case, among them the longest."""
    if case.technique not in engine.TECHNIQUES:
        return []
    found = engine.find(case.position, case.technique)
    stated = [step for step in found if case.holds([step])]
    longest = sorted(found, key=lambda step: len(step.cells) + len(step.links), reverse=True)
    return (stated[:1] + longest)[:STEPS_OF_A_CASE]


def test_a_name_is_in_the_readers_language(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Domain, "get_translations", lambda _self: Pseudo())
    with app.test_request_context():
        assert technique_name("x_wing") == "⟦X-Wing⟧"


def test_every_technique_has_a_template_and_no_template_is_left_over() -> None:
    named = {technique.template for technique in engine.TECHNIQUES.values()}
    assert {path.stem for path in TEMPLATES.glob("[!_]*.html")} == named


def test_a_technique_added_by_its_recipe_is_named_described_and_drawn(templates: Environment) -> None:
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


def test_every_step_on_the_path_of_generated_puzzles_is_rendered(templates: Environment) -> None:
    assert [fault for step in path_steps() for fault in failures(templates, step)] == []


@pytest.mark.slow
def test_every_step_of_our_own_cases_is_rendered(templates: Environment) -> None:
    steps = [step for case in OWN_CASES for step in steps_of(case)]
    assert [fault for step in steps for fault in failures(templates, step)] == []


def test_every_technique_has_a_case_of_our_own() -> None:
    assert {case.technique for case in OWN_CASES} == {*engine.TECHNIQUES}


def test_every_sentence_can_be_translated_with_its_words_in_another_order(
    templates: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Domain, "get_translations", lambda _self: Pseudo())
    for step in of_every_technique():
        page = rendered(templates, step)
        for spot in page.select(".spot, .digit, code"):
            spot.string = ""
        outside = page.get_text()
        while "⟦" in outside:
            outside, before = re.sub(r"⟦[^⟦⟧]*⟧", "", outside), outside
            assert outside != before
        outside = re.sub(r"\b(and|or)\b|[,;]", "", outside)  # lists, by CLDR
        assert not outside.strip(), f"not translated in {step.technique}: {outside}"
        assert {cell for cell, _ in step.placements | step.eliminations} <= set().union(
            *spots(rendered(templates, step))
        )


@pytest.mark.parametrize("code", catalogs.codes(catalogs.CATALOGS))
def test_every_technique_is_rendered_in_every_language(
    templates: Environment, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """An incomplete catalog is checked as far as it is translated."""
    compiled = BytesIO()
    write_mo(compiled, catalogs.catalog(catalogs.CATALOGS, code))
    translations = Translations(BytesIO(compiled.getvalue()))
    monkeypatch.setattr(Domain, "get_translations", lambda _self: translations)
    with speaking(code):
        assert [
            fault for step in one_in(2, of_every_technique()) for fault in failures(templates, step)
        ] == []


def test_a_full_stop_stays_on_the_line_of_the_hot_spot_before_it(templates: Environment) -> None:
    page = rendered(templates, find("naked_pair"))
    for spot in page.select("button.spot"):
        together = spot.parent is not None and spot.parent.get("class") == ["spot__end"]
        following = spot.next_sibling
        assert together == (following is not None and str(following)[0] in ",;.")


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


def single_in_box_1() -> tuple[engine.Step, engine.Position]:
    """1 in row 1, row 2 and column 1 leaves r3c2 and r3c3 of box 1; the 5 takes r3c3."""
    rows = ["...1.....", "......1..", "..5......", *3 * ["........."], "1........", *2 * ["........."]]
    position = engine.Position.from_grid(engine.parse("".join(rows)))
    (step,) = (step for step in engine.find(position, "hidden_single") if step.houses[0].house == 18)
    return step, position


def test_the_digits_that_leave_a_single_one_place_are_named(templates: Environment) -> None:
    step, position = single_in_box_1()
    assert StepView(step, position).witnesses == (3, 15, 54)
    assert {3, 15, 54} <= set().union(*spots(rendered(templates, step, position)))


def test_a_hidden_single_is_drawn_with_its_lines_of_sight() -> None:
    step, position = single_in_box_1()
    bars = {(bar.x, bar.y, bar.width, bar.height) for bar in StepView(step, position).overlay.sights}
    # From r1c4 to r1c1, from r2c7 to r2c1, from r7c1 to r1c1.
    assert bars == {(4.3, 4.3, 31.4, 1.4), (4.3, 14.3, 61.4, 1.4), (4.3, 4.3, 1.4, 61.4)}


def test_a_naked_single_says_which_house_has_which_digits(templates: Environment) -> None:
    rows = ["...12...9", ".7.......", "..8......", 9 * ".", *(f"{digit}........" for digit in (4, 5, 6))]
    position = engine.Position.from_grid(engine.parse("".join([*rows, 18 * "."])))
    (step,) = (step for step in engine.find(position, "naked_single") if step.placements == {(0, 3)})
    text = rendered(templates, step, position).get_text()
    assert "Its row has 1, 2 and 9. Its column has 4, 5 and 6. Its box has 7 and 8." in " ".join(text.split())


def test_hints_for_beginners_call_cells_by_row_and_column(templates: Environment) -> None:
    for key in ("full_house", "hidden_single", "naked_single"):
        for step in path_steps():
            if step.technique == key:
                view = StepView(step, beginner=True)
                text = templates.get_template(view.template).render(step=view)
                assert re.search(r"row \d, column \d", text), key
                assert not re.search(r"r\dc\d", text), key
                break


def test_a_single_that_rests_on_notes_says_so(templates: Environment) -> None:
    empty = engine.Position.from_grid(engine.parse(81 * "."))
    alone = empty.changed([(1, 2)], [(0, digit) for digit in range(3, 10)])
    (naked,) = engine.find(alone, "naked_single")
    assert "Its row has 2. Notes or earlier steps rule out 3, 4, 5, 6, 7, 8 and 9." in said(
        rendered(templates, naked, alone)
    )
    left = empty.changed([], [(cell, 5) for cell in range(1, 9)])
    (hidden,) = (step for step in engine.find(left, "hidden_single") if step.houses[0].house == 0)
    page = rendered(templates, hidden, left)
    assert "Notes or earlier steps also rule out 5 in r1c2" in said(page)
    assert {*range(1, 9)} <= set().union(*spots(page))
    assert len(StepView(hidden, left).overlay.cells) == 9, "those cells and the one of the single"


@pytest.mark.parametrize("key", ["x_chain", "continuous_nice_loop", "forcing_net_verity"])
def test_the_links_of_a_proof_are_numbered_behind_a_short_form(templates: Environment, key: str) -> None:
    step = find(key)
    page = rendered(templates, step)
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
    """Return a cell of four candidates, two of which lead to the same; and nets, where the first four
    tiers end.
    """
    position = engine.Position.from_grid(engine.generate(engine.Recipe(er=(8.0, 9.5)), 50).grid)
    while (step := engine.next_step(position)) and engine.TECHNIQUES[step.technique].tier < 5:
        position = position.after(step)
    kinds = ("cell_forcing_chain", "dynamic_forcing_chain")
    return position, [step for key in kinds for step in engine.find(position, key)[:10]]


def test_inferences_shared_by_branches_are_shown_once(templates: Environment) -> None:
    position, steps = hard_chains()
    texts = [rendered(templates, step, position).get_text() for step in steps]
    assert any("From here, it goes on as before." in text for text in texts)


def inferences(step: engine.Step) -> list[Inference]:
    return [each for branch in step.branches() for each in branch.inferences]


def test_a_net_leaves_out_what_a_true_digit_rules_out(templates: Environment) -> None:
    position, steps = hard_chains()
    nets = [step for step in steps if any(len(each.premises) > 1 for each in inferences(step))]
    assert nets
    for step in nets:
        view = StepView(step, position)
        items = rendered(templates, step, position).select("li[data-step]")
        ends = {claim for branch in view.branches for claim in (branch.clash or (branch.end,))}
        plain = [each for each in view.proof_steps.steps if not each.inference.result.on]
        assert all(each.inference.result in ends or not each.inference.premises[0].on for each in plain)
        assert len(items) == len(view.proof_steps.steps) < view.inferences
        drawn = {number for line in view.overlay.lines for number in line.steps}
        assert drawn <= {*range(1, len(items) + 1)}


def test_no_digit_stands_beside_the_number_of_a_house(templates: Environment) -> None:
    """In row 5, 7 can only go ... reads as rows 5 and 7."""
    texts = {
        step.technique: said(rendered(templates, step).select_one(".step")) for step in of_every_technique()
    }
    beside = re.compile(
        r"(?:row|column|box)(?:e?s)? \d(?:(?:,| and) \d)*, \d(?: and \d)? (?:can|has|have|must)"
    )
    assert {key: text for key, text in texts.items() if beside.search(text)} == {}


def test_houses_of_one_kind_are_named_together(templates: Environment) -> None:
    text = said(rendered(templates, find("swordfish")).select_one(".step"))
    assert re.search(r"(rows|columns) \d, \d and \d", text)


def test_a_death_blossom_names_its_petals_at_once(templates: Environment) -> None:
    step = find("death_blossom")
    page = rendered(templates, step)
    assert not page.select("details")
    assert {fact.cell for fact in step.cells} <= set().union(*spots(page))


def test_a_bug_rings_the_digit_that_stands_three_times_in_each_house() -> None:
    (case,) = [case for case in OWN_CASES if case.technique == "bug_plus_1"]
    step = find("bug_plus_1")
    view = StepView(step, case.position)
    ringed = {ring.cell for ring in view.overlay.rings if ring.digit == view.digit}
    for house in HOUSES_OF[view.fins[0]]:
        assert len(ringed & set(HOUSES[house])) == 3


def test_a_text_of_a_few_sentences_is_shown_at_once(templates: Environment) -> None:
    assert not rendered(templates, find("naked_pair")).select("details")


def test_a_chain_can_be_read_in_eureka_notation(templates: Environment) -> None:
    step = find("x_chain")
    assert rendered(templates, step).select_one("details code").get_text() == engine.eureka(step)
    for key in ("skyscraper", "naked_pair"):
        assert not rendered(templates, find(key)).select("code")


def test_extra_candidates_of_one_digit_are_worded_as_several(templates: Environment) -> None:
    text = rendered(templates, find("bug_plus_n")).get_text()
    assert "So at least one of the extra candidates is true" in text


def test_two_strong_links_have_the_name_of_their_geometry(templates: Environment) -> None:
    # The committed case: box 2 and column 2 over row 1.
    step = find("strong_links_2")
    assert StepView(step).name == "Turbot Fish"
    named = rendered(templates, step).get_text()
    assert all(cell in named for cell in ("r3c4", "r1c5", "r1c2", "r4c2"))


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("hidden_rectangle", "row 1 has no other place for"),
        ("aligned_pair_exclusion", "cross out those that leave too few digits for some of"),
    ],
)
def test_wider_forms_are_worded_by_what_decides_them(templates: Environment, key: str, words: str) -> None:
    position = engine.parse_position(TWO.read_text())
    step = next(step for step in engine.find(position, key) if step.variant == 1)
    assert words in said(rendered(templates, step))
    assert failures(templates, step) == []


def test_each_pair_of_colors_that_meet_is_named(templates: Environment) -> None:
    # Two nets of 8s of which two pairs of colors meet, in columns 2 and 4.
    eights = {11, 12, 19, 22, 27, 28, 29, 30, 31, 33, 35, 37, 39, 45, 47, 48, 49, 51, 53, 63, 64, 65, 69}
    eights |= {74, 78, 80}
    gone = [(cell, 8) for cell in range(81) if cell not in eights]
    position = engine.Position.from_grid(engine.parse(81 * ".")).changed([], gone)
    (step,) = engine.find(position, "multi_colouring_1")
    assert StepView(step, position).touching == [(19, 37), (12, 39)]
    assert failures(templates, step) == []


def test_a_group_in_two_strong_links_is_named_and_worded_as_one(templates: Environment) -> None:
    gone = [(cell, 5) for cell in range(9) if cell not in (3, 4, 8)]
    gone += [(cell, 5) for cell in range(36, 45) if cell not in (40, 44)]
    position = engine.Position.from_grid(engine.parse(81 * ".")).changed([], gone)
    (step, *_) = [
        step
        for step in engine.find(position, "strong_links_2")
        if StepView(step).name == "Grouped Skyscraper"
    ]
    text = said(rendered(templates, step, position))
    assert "must be in r1c4, r1c5 or r1c9" in text
    assert "at least one of r1c4, r1c5 and r5c5 has the 5" in text


def test_a_branch_that_contradicts_itself_is_worded_apart_from_those_that_agree(
    templates: Environment,
) -> None:
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
    assert "contradict" in rendered(templates, step).get_text()
    assert StepView(step).assumed_house.number == 1
