"""The numbers of the papers' schemes, with their sources. Computes nothing.

Those of the Explainer and of HoDoKu are in explainer.py and hodoku.py, of the expected time in time_model.py.

"Chosen" marks numbers that a paper leaves open.
"""

from __future__ import annotations

from typing import Final

# givens_and_search (Xue, Jiang, Li, section 4 and table 1): three scores 0..5, weighted. The paper says that
# 0..80 givens split "roughly evenly" into five and those of a line likewise, and gives one example: 22
# givens, an empty row and 263,734 searches score 5, 5 and 4. Chosen: 17..80 split evenly, since fewer than 17
# givens never have one solution and an even split of 0..80 would put 22 in level 4; lines 0..9 in pairs;
# searches by powers of ten, round steps that give 263,734 a 4 and leave 0 for what hardly needs a search.
GIVENS_AND_SEARCH: Final = (0.4, 0.3, 0.3)  # weights of givens, fewest in a line, searches: the paper's
GIVENS_OF_LEVEL: Final = ((69, 80), (56, 68), (43, 55), (30, 42), (17, 29))  # level 1 first; level = score
FEWEST_IN_LINE_OF_LEVEL: Final = ((8, 8), (6, 7), (4, 5), (2, 3), (0, 1))
SEARCHES_FROM: Final = (100, 1_000, 10_000, 100_000, 1_000_000)  # a score for each that is reached
LEVELS: Final = 5

# decision_tree (Creating Sudoku Puzzles, 5.3): three scores 0..4, weighted. The paper gives the weight 0.4
# and 38..45 givens for 1, 31..37 for 2, then breaks off. Chosen: further intervals of seven; the other two
# weights equal, with a sum of 1; one more for each given less in a line; nodes in triples, from 66 on, more
# than a tree without branches can have.
DECISION_TREE: Final = (0.4, 0.3, 0.3)  # weights of givens, fewest in a line, nodes
GIVENS_OF_GRADE: Final = ((38, 45), (31, 37), (24, 30), (17, 23))  # grade 1 first; more than 45 scores 0
FEWEST_IN_LINE_OF_GRADE: Final = ((3, 3), (2, 2), (1, 1), (0, 0))  # more than 3 scores 0
NODES_FROM: Final = (66, 200, 600, 1_800)  # a score for each that is reached
GRADES: Final = 4

# weighted_rules (Wu, Xiao, Yang, section 2.2): the weights of rules 1 to 14, and D from which levels 2 to 5
# start.
WEIGHTED_RULES: Final = (1, 5, 10, 15, 20, 25, 30, 35, 40, 500, 1000, 3000, 5000, 8000)
WEIGHTED_RULES_FROM: Final = (1.05, 4.5, 6.0, 13.0)
