"""Forcing chains of several branches, nets, and methods without a pattern."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "forcing_chain_contradiction": Text(
        _(
            "Suppose a candidate is true, or false, and follow two chains from it. "
            "If they say two things that can’t both be, the assumption was wrong."
        ),
        (),
        ("forcing_chain_verity", "nishio", "forcing_net_contradiction"),
        spot=_(
            "Pick a candidate that fixes many others. Follow two lines from it and see whether they "
            "clash. A digit may be twice in a house, or two digits in a cell."
        ),
        slip=_(
            "The two ends must exclude each other. If they just differ, the candidate may still be right."
        ),
    ),
    "forcing_chain_verity": Text(
        _(
            "Follow a chain from every candidate of a cell, or every place of a digit in a house. "
            "If all lead to the same result, it must be true."
        ),
        (),
        ("cell_forcing_chain", "region_forcing_chain", "forcing_net_verity"),
    ),
    "forcing_net_contradiction": Text(
        _(
            "Suppose a candidate is true, or false, and combine everything that follows. "
            "If two consequences can’t both be, the assumption was wrong."
        ),
        ("Bowman’s Bingo",),
        ("forcing_chain_contradiction", "dynamic_forcing_chain"),
        spot=_(
            "Pick a candidate that fixes many others and write down all that follows. Look for a cell "
            "without candidates or a house without a place for a digit."
        ),
        slip=_(
            "Keep track of what each step rests on. With one unproved step, the contradiction means nothing."
        ),
    ),
    "forcing_net_verity": Text(
        _(
            "Follow every candidate of a cell or house, combining consequences as you go. "
            "If all lead to the same result, it must be true."
        ),
        (),
        ("forcing_chain_verity", "dynamic_forcing_chain"),
    ),
    "nishio": Text(
        _(
            "Suppose a candidate is true and follow just that digit through the grid. "
            "If the digit is left without a place, or gets two, you can remove the candidate."
        ),
        ("Nishio Forcing Chain",),
        ("forcing_x_chain", "forcing_chain_contradiction", "x_chain"),
        spot=_(
            "Take a digit that’s placed a few times and put it in one more cell. Write what follows for "
            "this digit alone. See if a house runs out of places."
        ),
        slip=_("Stay with one digit. If its places work out, you haven’t proved that it goes there."),
    ),
    "cell_forcing_chain": Text(
        _(
            "Follow a chain from each candidate of one cell. "
            "If all of them lead to the same result, it must be true."
        ),
        ("Cell Forcing Chains",),
        ("region_forcing_chain", "forcing_chain_verity", "death_blossom"),
    ),
    "region_forcing_chain": Text(
        _(
            "Follow a chain from each place of one digit in a row, column or box. "
            "If all of them lead to the same result, it must be true."
        ),
        ("Region Forcing Chains", "Unit Forcing Chains"),
        ("cell_forcing_chain", "forcing_chain_verity"),
    ),
    "double_forcing_chain": Text(
        _(
            "Follow what happens if a candidate is true, and what happens if it’s false. "
            "If both lead to the same result, it must be true."
        ),
        ("Digit Forcing Chains",),
        ("cell_forcing_chain", "dynamic_forcing_chain"),
    ),
    "dynamic_forcing_chain": Text(
        _(
            "A forcing chain in which a step may rest on several earlier ones at once. "
            "If a branch breaks down, or all agree, you’ve found a candidate to place or remove."
        ),
        ("Dynamic Contradiction Forcing Chains",),
        ("double_forcing_chain", "dynamic_forcing_chain_plus", "forcing_net_verity"),
    ),
    "dynamic_forcing_chain_plus": Text(
        _(
            "A dynamic forcing chain that also uses pairs, locked candidates and "
            "X-Wings that come up on the way. "
            "If a branch breaks down, or all agree, you’ve found a candidate to place or remove."
        ),
        ("Dynamic Forcing Chains +",),
        ("dynamic_forcing_chain", "nested_forcing_chain"),
    ),
    "nested_forcing_chain": Text(
        _(
            "A dynamic forcing chain whose steps may themselves rest on forcing chains. "
            "If a branch breaks down, or all agree, you’ve found a candidate to place or remove."
        ),
        ("Nested Forcing Chains",),
        ("dynamic_forcing_chain_plus", "trial"),
    ),
    "trial": Text(
        _(
            "Try one candidate of a cell and keep solving from there. "
            "If you run into a contradiction, that candidate was wrong and another is right."
        ),
        ("Bifurcation", "Trial and Error"),
        ("nishio", "forcing_chain", "brute_force"),
    ),
    "brute_force": Text(
        _(
            "Try digits one after the other and go back whenever one doesn’t work. "
            "Computers solve any puzzle this way, but it teaches a person nothing."
        ),
        ("Backtracking", "Guessing"),
        ("trial",),
    ),
}
