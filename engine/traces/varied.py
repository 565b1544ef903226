"""A published system varied as its paper or its laboratory allows, for `make` and `generate_by`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..arguments import shown
from ..errors import RecipeError
from ..generation.dig import Order
from ..generation.methods import METHODS, Method
from ..generation.recipe import Recipe, check_name, check_range, check_use
from ..generation.solved_grids import MOST_CELLS, SOLVED_GRIDS
from ..techniques.entry import N_
from .making import own_growth

SEARCHES: Final = ("ours", "own")


def system(
    recipe: Recipe,
    *,
    solved_grid: str | None = None,
    cells: int | None = None,
    order: str | None = None,
    search: str = "ours",
    transform: bool | None = None,
) -> Method:
    """Return the method of a recipe with other parts; None leaves one as it is.

    solved_grid: a key of SOLVED_GRIDS. cells: 0..25 random ones that a Las Vegas grid starts from.
    order: of digging, a value of Order. search: which solver proves uniqueness; min_candidates also has its
    "own". transform: whether it ends with equivalence transformations. RecipeError names the part at fault.

    >>> system(Recipe("exact_cover"), solved_grid="centre_box").solved_grid
    'centre_box'
    """
    method = METHODS[recipe.method]
    digs = method.solved_grid is not None
    if solved_grid is not None:
        check_name("solved_grid", solved_grid, SOLVED_GRIDS)
    check_use("solved_grid", solved_grid, method, digs)
    check_use("cells", cells, method, (solved_grid or method.solved_grid) == "las_vegas")
    check_range("cells", cells, 0, MOST_CELLS)
    if order is not None:
        check_name("order", order, [each.value for each in Order])
    check_use("order", order, method, digs)
    check_name("search", search, SEARCHES)
    others = recipe.asked.keys() - {"method", "paper_level", "minimal", "effort"}
    needing = sorted(others) if recipe.method == "min_candidates" else [recipe.method]
    if search == "own" and needing:
        reason = N_("expected 'ours', which %(name)s needs, found %(found)s")
        raise RecipeError("search", reason, name=needing[0], found="'own'")
    if transform is not None and not isinstance(transform, bool):
        raise RecipeError("transform", "expected True or False, found %(found)s", found=shown(transform))
    return replace(
        method,
        solved_grid=solved_grid or method.solved_grid,
        cells=cells,
        order=None if order is None else Order(order),
        own=own_growth if search == "own" else None,
        transformed=method.transformed if transform is None else transform,
    )
