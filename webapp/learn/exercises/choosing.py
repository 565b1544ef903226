"""Choose the positions of a lesson as a teacher would: typical, plain, and not solved by something easier.

`python -m webapp.learn.exercises.choosing [TECHNIQUE ...]` rewrites the file of `shipped`, or the lines of
the given techniques. It keeps and reports positions for which a search finds no others in PATIENCE seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from tqdm import tqdm

import engine
from engine.steps import effort
from engine.techniques import Role
from webapp.learn.exercises import kept, shipped
from webapp.learn.exercises.making import made_of
from webapp.learn.exercises.posed import Posed, struck_in, text_of
from webapp.models import ExerciseKind

GOOD: Final = 12  # exercises with nothing against them to choose from
DRAWN: Final = {ExerciseKind.EXERCISE: 60, ExerciseKind.NEAR_MISS: 8}
MOST_SPOILERS: Final = 2  # candidates that a near miss may have too many
PATIENCE: Final = 20.0  # seconds for a kind of a technique
SEED: Final = 9
CLEARED: Final = 40  # easier steps made on a board so that the technique comes next
TRIED: Final = 6  # steps tried for each of them
QUICKLY_FOUND: Final = "grouped_aic"  # the techniques before it together take milliseconds

_KINDS: Final = ExerciseKind.WORKED, ExerciseKind.EXERCISE, ExerciseKind.NEAR_MISS
_ORDER: Final = list(engine.TECHNIQUES)


def chosen(
    technique: str, seed: int, stop: Callable[[], bool], used: Collection[str] = ()
) -> Iterator[Posed]:
    """Return the positions of a lesson, as far as found until `stop` returns True.

    used: givens of other lessons, to be left out.
    """
    drawn: list[tuple[tuple[float, ...], Posed]] = []
    for posed in made_of(technique, ExerciseKind.EXERCISE, seed, stop):
        if posed.givens in used or any(posed.givens == other.givens for _, other in drawn):
            continue
        shown = posed if posed.least else _cleared(posed, stop)
        drawn.append((_against(shown), shown))
        if sum(not any(against[:-1]) for against, _ in drawn) == GOOD or stop():
            break
        if len(drawn) == DRAWN[ExerciseKind.EXERCISE]:
            break
    plainest = sorted(drawn, key=lambda each: each[0])[:2]
    for kind, (_, posed) in zip((ExerciseKind.WORKED, ExerciseKind.EXERCISE), plainest, strict=False):
        yield replace(posed, kind=kind)


def nearly(technique: str, seed: int, stop: Callable[[], bool], used: Collection[str] = ()) -> Posed | None:
    """Return a lesson's near miss: fewest spoilers, then the plainest missed step; None without any."""
    drawn: list[tuple[tuple[float, ...], Posed]] = []
    for posed in made_of(technique, ExerciseKind.NEAR_MISS, seed, stop):
        missed = posed.missed
        few = len(posed.spoiling) <= MOST_SPOILERS or posed.lacking
        if missed is not None and few and posed.givens not in used:
            at = posed.nearly
            against = len(posed.spoiling), not typical(missed, at), _overlaps(missed), effort(missed, at)
            drawn.append((against, posed))
        if len(drawn) == DRAWN[ExerciseKind.NEAR_MISS] or stop():
            break
    return min(drawn, key=lambda each: each[0])[1] if drawn else None


def _against(posed: Posed) -> tuple[float, ...]:
    """Return what speaks against a position as an example: less comes first."""
    step = posed.steps[0]
    return (
        not typical(step, posed.position),
        len(explaining(posed)),
        not posed.least,
        _overlaps(step),
        effort(step, posed.position),
    )


def explaining(posed: Posed) -> list[str]:
    """Return the easier techniques of the family that do all that the first step does."""
    if posed.least:
        return []
    effects = posed.steps[0].placements | posed.steps[0].eliminations
    family = engine.TECHNIQUES[posed.technique].family
    found = []
    for key in _ORDER[: _ORDER.index(posed.technique)]:
        if engine.TECHNIQUES[key].family is not family:
            continue
        with suppress(engine.GaveUp):
            steps = engine.find(posed.position, key)
            if any(effects <= step.placements | step.eliminations for step in steps):
                found.append(key)
    return found


def _cleared(posed: Posed, stop: Callable[[], bool]) -> Posed:
    """Return the position after easier steps that leave the technique in place."""
    place = min(_ORDER.index(posed.technique), _ORDER.index(QUICKLY_FOUND))
    position, before = posed.position, _ORDER[place - 1]
    least = False
    for _ in range(CLEARED):
        if stop():
            break
        try:
            easier = engine.all_steps(position, up_to=before)
        except engine.GaveUp as error:
            easier = list(error.steps)
        least = not easier and _comes_next(position, posed.technique)
        for step in easier[:TRIED]:
            after = position.after(step)
            if _there(after, posed.technique):
                position = after
                break
        else:
            break
    steps = engine.find(position, posed.technique)
    return Posed(
        posed.technique,
        posed.kind,
        posed.givens,
        str(position.grid),
        text_of(struck_in(position)),
        "",
        least,
        posed.seed,
        posed.engine_version,
        known=kept.text_of(steps),
    )


def _comes_next(position: engine.Position, technique: str) -> bool:
    with suppress(engine.GaveUp):
        step = engine.next_step(position)
        return step is not None and step.technique == technique
    return False


def _there(position: engine.Position, technique: str) -> bool:
    with suppress(engine.GaveUp):
        return bool(engine.find(position, technique))
    return False


# The shape of an example.


def _overlaps(step: engine.Step) -> int:
    """Return how many cells belong to two parts of a pattern."""
    return len(step.cells) - len({fact.cell for fact in step.cells})


def typical(step: engine.Step, position: engine.Position) -> bool:
    """Whether a step has the shape that its technique is known by."""
    shape = _SHAPES.get(step.technique)
    return shape is None or shape(step, position)


def _links(number: int) -> Callable[[engine.Step, engine.Position], bool]:
    return lambda step, position: len(step.branches(position)[0].inferences) == number


def _sizes(**wanted: int) -> Callable[[engine.Step, engine.Position], bool]:
    roles = {Role[name.upper()]: number for name, number in wanted.items()}
    return lambda step, _: all(len(set(step.cells_of(role))) == number for role, number in roles.items())


def _one_fish(step: engine.Step, _position: engine.Position) -> bool:
    return step.variant != 1 and not step.cells_of(Role.ENDO_FIN)


def _with_sets(step: engine.Step) -> bool:
    return any(fact.role >= Role.ALS for fact in step.cells)


def _grouped(step: engine.Step, position: engine.Position) -> bool:
    return _with_groups(step, position) and not _with_sets(step)


def _with_groups(step: engine.Step, position: engine.Position) -> bool:
    """Whether groups of cells or almost locked sets take part."""
    claims = [claim for branch in step.branches(position) for claim in branch.claims]
    return any(len(claim.cells) > 1 for claim in claims) or _with_sets(step)


def _combines(step: engine.Step, position: engine.Position) -> bool:
    """Whether a conclusion rests on several earlier ones at once."""
    return any(
        len(inference.premises) > 1 for branch in step.branches(position) for inference in branch.inferences
    )


def _uses_patterns(step: engine.Step, _position: engine.Position) -> bool:
    return any(not lemma.links for lemma in step.lemmas)


def _uses_chains(step: engine.Step, _position: engine.Position) -> bool:
    return any(lemma.links for lemma in step.lemmas)


def _guessed(step: engine.Step, position: engine.Position) -> bool:
    """Whether a net wouldn't refute the digits tried, too."""
    gone = frozenset((cell, digit) for cell, _ in step.placements for digit in position.candidates(cell))
    proved = [engine.find(position, key) for key in ("forcing_net_contradiction", "forcing_net_verity")]
    return not any(
        gone - step.placements <= each.eliminations or step.placements <= each.placements
        for steps in proved
        for each in steps
    )


_SHAPES: Final[Mapping[str, Callable[[engine.Step, engine.Position], bool]]] = {
    "sue_de_coq": lambda step, _: (
        [len(step.cells_of(role)) for role in (Role.PIVOT, Role.ALS, Role.ALS + 1)] == [2, 1, 1]
    ),
    "aic": _links(5),
    "x_chain": _links(5),
    "grouped_aic": _grouped,
    "grouped_continuous_nice_loop": _with_groups,
    "grouped_discontinuous_nice_loop": _with_groups,
    "xy_chain": _links(7),
    "unique_loop": _sizes(corner=6),
    "broken_wing": _sizes(pattern=5),
    **{
        f"{kind}_{fish}": _one_fish
        for kind in ("finned", "sashimi", "finned_franken", "finned_mutant")
        for fish in ("x_wing", "swordfish", "jellyfish")
    },
    "forcing_net_contradiction": _combines,
    "forcing_net_verity": _combines,
    "dynamic_forcing_chain": _combines,
    "dynamic_forcing_chain_plus": _uses_patterns,
    "nested_forcing_chain": _uses_chains,
    "trial": _guessed,
    "brute_force": _guessed,
}


def _within(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def main(techniques: list[str]) -> None:
    """Write the file."""
    if unknown := [key for key in techniques if key not in engine.TECHNIQUES]:
        sys.exit(f"No technique is called {', '.join(unknown)}; there are {', '.join(engine.TECHNIQUES)}.")
    found = {key: dict(kinds) for key, kinds in shipped.positions().items()}
    for technique in tqdm(techniques or _ORDER, disable=None):
        before = found.pop(technique, {})
        used = {posed.givens for kinds in found.values() for posed in kinds.values()}
        seed = SEED + _ORDER.index(technique)  # the same seed would give the same puzzles
        new = {posed.kind: posed for posed in chosen(technique, seed, _within(PATIENCE), used)}
        used |= {posed.givens for posed in new.values()}
        near = nearly(technique, seed, _within(PATIENCE), used)
        if near is not None:
            new[near.kind] = near
        for kind in _KINDS:
            if kind not in new:
                print(f"{technique}: no {kind} in {PATIENCE:g} s", file=sys.stderr)
        found[technique] = before | new
        _write(found)


def _write(found: Mapping[str, Mapping[str, Posed]]) -> None:
    lines = [f"# {shipped.FIELDS}"]
    for technique in engine.TECHNIQUES:
        kinds = found.get(technique, {})
        lines += [shipped.line_of(kinds[kind]) for kind in _KINDS if kind in kinds]
    shipped.FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
