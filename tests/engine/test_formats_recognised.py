"""Every format is recognized automatically, with the data it carries beyond the givens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import Grid, PuzzleFormatError, parse
from engine.formats import lz_string, parse_entry

LINE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SOLVED = "946785123751923684283164795812456937479231856365897412127349568598672341634518279"
ZEROS = LINE.replace(".", "0")
GRID = Grid.from_digits(map(int, ZEROS))
SOLUTION = Grid.from_digits(map(int, SOLVED))
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]

TEXTS = Path(__file__).parents[1] / "data" / "formats"
SDK = (TEXTS / "sdk.txt").read_text()
SIMPLE_SUDOKU = (TEXTS / "simple_sudoku.txt").read_text()
CANDIDATES = (TEXTS / "candidates.txt").read_text()
OPENSUDOKU_1 = (TEXTS / "opensudoku_1.xml").read_text()
OPENSUDOKU_2 = (TEXTS / "opensudoku_2.xml").read_text()


def refusal(text: str) -> PuzzleFormatError:
    with pytest.raises(PuzzleFormatError) as refused:
        parse(text)
    return refused.value


def packed(members: object) -> str:
    return lz_string.compress(json.dumps(members))


def fpuzzle(**more: object) -> dict[str, object]:
    grid = [[{"value": int(mark), "given": True} if mark != "." else {} for mark in row] for row in ROWS]
    return {"size": 9, "title": "Made up", "author": "nobody", "grid": grid, **more}


def sudokupad(**more: object) -> dict[str, object]:
    cells = [[{"value": int(mark)} if mark != "." else {} for mark in row] for row in ROWS]
    return {"cells": cells, "metadata": {"title": "Made up", "solution": SOLVED}, "cages": [], **more}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (LINE, "line"),
        (ZEROS + "\n\n", "line"),
        ("\n".join(ROWS), "block"),
        (SDK, "sdk"),
        (SIMPLE_SUDOKU, "simple_sudoku"),
        (f":0002:6:{LINE}:::627:", "hodoku"),
        (f":0002:6:{LINE}:::627", "hodoku"),
        (f"1,1,0,28,{ZEROS},Made-Up,0.01s,0,C28", "csv"),
        (f"puzzle,solution,givens,rating\n{LINE},{SOLVED},28,1.5", "csv"),
        (f"quizzes,solutions\n{ZEROS},{SOLVED}", "csv"),
        (f"Game No.,Sudoku Puzzle,D_TO,D_TR\n124,{LINE},0.6517,0.9992", "csv"),
        (f"124,{LINE},0.6517,0.9992", "csv"),
        (f"{LINE},{SOLVED}", "csv"),
        (f'puzzle,note\n{LINE},"a, b"', "csv"),
        (f"0123456789ab {ZEROS} 7.1", "puzzle_bank"),
        (f"0123456789ab {ZEROS}  7.1", "puzzle_bank"),
        (json.dumps({"puzzle": LINE, "verdict": "unique"}), "json"),
        (OPENSUDOKU_1, "opensudoku"),
        (OPENSUDOKU_2, "opensudoku"),
        (f"https://www.f-puzzles.com/?load={packed(fpuzzle())}", "fpuzzles"),
        (f"https://sudokupad.app/fpuzzles{packed(fpuzzle())}", "fpuzzles"),
        (f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuz{packed(fpuzzle())}", "fpuzzles"),
        (f"fpuzzles{packed(fpuzzle())}", "fpuzzles"),
        (f"https://sudokupad.app/scl{packed(sudokupad())}", "sudokupad"),
        (f"scl{packed(sudokupad())}", "sudokupad"),
        (f"https://www.sudokuwiki.org/sudoku.htm?bd={LINE}", "line"),
        (f"https://sudoku.coach/en/play/{ZEROS}", "line"),
        (f"https://sudoku.coach/en/solver/{LINE}", "line"),
    ],
)
def test_a_format_is_recognised(text: str, key: str) -> None:
    entry = parse_entry(text)
    assert (entry.format, entry.givens) == (key, GRID)


@pytest.mark.parametrize("text", [CANDIDATES, CANDIDATES.replace("|", " ")])
def test_candidates_are_read_with_or_without_bars(text: str) -> None:
    entry = parse_entry(text)
    assert (entry.format, entry.givens) == ("pencilmarks", GRID)
    assert entry.candidates[0] == 0b100101000


def test_81_groups_of_digits_are_a_candidate_grid_whatever_the_layout() -> None:
    words = [word for line in CANDIDATES.split("\n") for word in line.split() if word.isdigit()]
    assert (
        parse(" ".join(words))
        == parse("\n".join(",".join(words[at : at + 7]) for at in range(0, 81, 7)))
        == GRID
    )


def test_a_lone_candidate_that_a_peer_still_lists_is_no_solved_cell() -> None:
    entry = parse_entry(CANDIDATES)
    assert entry.givens[33] == 0  # r4c7 shows a lone 9 that r3c7 lists too
    assert entry.candidates[33] == 0b100000000


def test_marks_glued_to_candidates_are_passed_over() -> None:
    assert parse_entry(CANDIDATES.replace("12579 1567 ", "1*25-79 1567#")) == parse_entry(CANDIDATES)


def test_729_characters_are_a_candidate_grid() -> None:
    entry = parse_entry(CANDIDATES)
    masks = [
        mask or 1 << (digit - 1)
        for mask, digit in zip(entry.candidates or (), entry.givens.digits, strict=True)
    ]
    text = "".join(str(digit) if mask >> (digit - 1) & 1 else "0" for mask in masks for digit in range(1, 10))
    assert parse_entry(text).candidates == entry.candidates
    assert parse_entry(text.replace("0", ".")).givens == GRID


def test_simple_sudokus_clipboard_joins_givens_and_candidates() -> None:
    entry = parse_entry(SIMPLE_SUDOKU.split("Simple")[0] + "\n" + CANDIDATES)
    assert (entry.format, entry.givens, entry.placed) == ("simple_sudoku", GRID, None)
    assert entry.candidates == parse_entry(CANDIDATES).candidates


def test_simple_sudokus_clipboard_joins_givens_values_and_candidates() -> None:
    picture = SIMPLE_SUDOKU.split("Simple")[0]
    values = picture.replace("|...|7..|12.|", "|..6|7..|12.|")
    entry = parse_entry("\n".join([picture, values, CANDIDATES.replace(" 56 ", " 6  ")]))
    assert (entry.givens, entry.standing[2]) == (GRID, 6)


def test_sdk_sections_carry_values_and_candidates() -> None:
    state = "\n".join(["..67..12.", *ROWS[1:]])
    marks = "\n".join(["49,459,,,3589,345,,,389", *[",".join(["12"] * 9)] * 8])
    entry = parse_entry(f"{SDK}[State]\n{state}\n[PencilMarks]\n{marks}\n")
    assert (entry.givens, entry.standing[2]) == (GRID, 6)
    assert entry.candidates[:3] == (0b100001000, 0b100011000, 0)
    assert entry.facts == {"author": "Example author", "description": "Made-up example", "level": "Easy"}


def test_a_state_that_contradicts_a_given_is_refused() -> None:
    state = "\n".join(["...8..12.", *ROWS[1:]])
    error = refusal(f"{SDK}[State]\n{state}\n")
    assert (error.cell, error.character) == (3, "8")


def test_a_section_without_a_puzzle_is_refused() -> None:
    assert "[Puzzle]" in str(refusal("[State]\n" + "\n".join(ROWS)))


def test_a_library_line_carries_placed_digits_deleted_candidates_and_its_result() -> None:
    cells = LINE[:27] + "+8" + LINE[28:]
    entry = parse_entry(f":0003:9:{cells}:442::947:")
    assert (entry.givens, entry.standing[27]) == (GRID, 8)
    assert entry.deleted == {(28, 4)}
    assert entry.facts == {"technique": "0003", "digits": "9", "placements": "947"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f":00x2:6:{LINE}:::627:", "technique"),
        (f":0002:6:{LINE[:80]}:::627:", "found 80"),
        (f":0002:6:{LINE[:80]}+:::627:", "found 80"),
        (f":0002:6:+{LINE}:::627:", "after '+'"),
        (f":0002:6:{LINE}:62:627::", "row and column"),
    ],
)
def test_a_bad_library_line_is_refused(line: str, words: str) -> None:
    assert words in str(refusal(line))


def test_a_comment_with_ratings_gives_them_as_facts() -> None:
    assert parse_entry(f"{LINE} ED=7.1/1.2/1.2").facts == {"er": "7.1", "ep": "1.2", "ed": "1.2"}
    assert parse_entry(f"{LINE} #3 Hard (1024)").facts == {"hodoku_level": "Hard", "hodoku_score": "1024"}


def test_a_table_carries_the_solution_and_its_other_columns() -> None:
    entry = parse_entry(f"puzzle;solution;source\n{ZEROS};{SOLVED};a book")
    assert (entry.givens, entry.solution, entry.facts) == (GRID, SOLUTION, {"source": "a book"})


def test_a_bad_cell_of_a_table_is_named_with_its_line() -> None:
    error = refusal(f"quizzes,solutions\n{'q' + ZEROS[1:]},{SOLVED}")
    assert (error.line, error.cell, error.character) == (2, 0, "q")


def opensudoku(data: str) -> str:
    return OPENSUDOKU_2.replace(ZEROS, data)


@pytest.mark.parametrize(
    ("version", "note", "extra"), [("1", "4,6,9,", ""), ("2", "296", ""), ("2", "296", "|"), ("3", "296", "")]
)
def test_every_version_of_opensudokus_data_is_read(version: str, note: str, extra: str) -> None:
    empty = "-" if version == "1" else "0"
    cells = [f"{digit}|{empty}{extra}|{int(digit == '0')}|" for digit in ZEROS]
    cells[0] = f"0|{note}{extra}|1|"
    entry = parse_entry(opensudoku(f"version: {version}&#10;{''.join(cells)}"))
    assert entry.givens == GRID
    assert entry.candidates[0] == 0b100101000


def test_opensudoku_carries_state_folder_and_note() -> None:
    entry = parse_entry(OPENSUDOKU_2.replace('time="0"', 'time="0" note="nice"'))
    assert entry.comment == "nice"
    assert entry.facts == {"state": "1", "time": "0", "folder": "Made up"}
    assert parse_entry(OPENSUDOKU_1).facts == {"folder": "Made up"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<opensudoku version="1">' + "<a>" * 16, "nested elements"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + OPENSUDOKU_1.split("\n", 1)[1], "document type"),
        (OPENSUDOKU_1.replace("</opensudoku>", ""), "well-formed"),
        (OPENSUDOKU_2.replace('version="2"', 'version="9"'), "'9'"),
        (opensudoku(ZEROS[:80]), "found 80"),
        (opensudoku("version: 3&#10;" + "0|0|1|" * 80), "240 fields"),
        (opensudoku("version: 3&#10;" + "0|512|1|" * 81), "0|512|1"),
        (opensudoku("version: 3&#10;" + "0|0|2|" * 81), "editable"),
        (opensudoku("version: 4&#10;" + "0|0|1|" * 81), "version 1, 2 or 3"),
        (OPENSUDOKU_1.replace("</opensudoku>", f'<game data="{ZEROS}"/></opensudoku>'), "found 2"),
    ],
)
def test_a_bad_opensudoku_document_is_refused(text: str, words: str) -> None:
    assert words in str(refusal(text))


def test_an_f_puzzles_link_carries_marks_placed_digits_and_the_solution() -> None:
    puzzle = fpuzzle(solution=list(map(int, SOLVED)))
    grid = puzzle["grid"]
    grid[0][0] = {"centerPencilMarks": ["4", 6, 9], "cornerPencilMarks": [4]}
    grid[0][2] = {"value": 6}
    entry = parse_entry(f"https://www.f-puzzles.com/?load={packed(puzzle)}")
    assert (entry.givens, entry.standing[2], entry.solution) == (GRID, 6, SOLUTION)
    assert (entry.candidates[0], entry.corners[0]) == (0b100101000, 0b000001000)
    assert entry.facts == {"title": "Made up", "author": "nobody"}


def test_lz_string_unpacks_what_its_original_packs() -> None:
    # f-puzzles' own code of an empty grid of size 3.
    code = "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA=="
    text = lz_string.decompress(code)
    assert json.loads(text)["size"] == 3
    assert lz_string.compress(text) == code


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"killercage": [{"cells": ["R1C1"], "value": "7"}]}, "killercage"),
        ({"diagonal+": True}, "diagonal+"),
        ({"antiknight": True, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}, "antiknight, thermometer"),
        ({"size": 6}, "size 6"),
        ({"fogofwar": ["R1C1"]}, "fogofwar"),
    ],
)
def test_a_variant_of_f_puzzles_is_refused_by_name(more: dict[str, object], name: str) -> None:
    assert name in str(refusal(f"fpuzzles{packed(fpuzzle(**more))}"))


def test_an_f_puzzle_with_irregular_regions_is_refused() -> None:
    puzzle = fpuzzle()
    grid = puzzle["grid"]
    grid[0][0] = {"region": 3}
    assert "irregular regions" in str(refusal(f"fpuzzles{packed(puzzle)}"))


def test_sudokupads_shortened_json_is_read() -> None:
    rows = ",".join(
        "[" + ",".join(f"{{v:{mark}}}" if mark != "." else "" for mark in row) + "]" for row in ROWS
    )
    text = f"{{cs:50,metadata:{{t:'It\\'s made up'}},ce:[{rows}],big:t}}"
    entry = parse_entry("scl" + lz_string.compress(text))
    assert entry.givens == GRID
    assert entry.facts == {"title": "It's made up"}


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"cages": [{"cells": [[0, 0], [0, 1]], "value": 7}]}, "cages"),
        ({"lines": [{"wayPoints": [[0, 0], [1, 1]]}]}, "lines"),
        ({"arrows": [{"wayPoints": [[0, 0], [1, 1]]}]}, "arrows"),
        ({"metadata": {"antiknight": True}}, "antiknight"),
        ({"regions": [[[0, 0], [0, 1]]]}, "irregular regions"),
        ({"cells": [[{}] * 6] * 6}, "nine rows"),
    ],
)
def test_a_variant_of_sudokupad_is_refused_by_name(more: dict[str, object], name: str) -> None:
    assert name in str(refusal(f"scl{packed(sudokupad(**more))}"))


def test_sudokupads_cages_may_hold_metadata_or_repeat_a_house() -> None:
    cages = [{"value": "title: A tale"}, {"cells": [[0, column] for column in range(9)], "unique": True}]
    entry = parse_entry(f"scl{packed(sudokupad(cages=cages, metadata={}))}")
    assert (entry.givens, entry.facts) == (GRID, {"title": "A tale"})


def test_an_address_that_only_names_a_puzzle_is_refused() -> None:
    assert "only refers to it" in str(refusal("https://sudokupad.app/2kyuzdqxgw"))


def test_sudokuwikis_string_carries_clues_and_candidates() -> None:
    pairs = [base32(2 << (int(mark) - 1) | 1) if mark != "." else base32(2 * 0x1FF) for mark in LINE]
    entry = parse_entry("https://www.sudokuwiki.org/sudoku.htm?bd=" + "".join(pairs))
    assert (entry.format, entry.givens) == ("sudokuwiki", GRID)
    assert entry.candidates[0] == 0x1FF


def base32(value: int) -> str:
    return "0123456789abcdefghijklmnopqrstuv"[value // 32] + "0123456789abcdefghijklmnopqrstuv"[value % 32]


def test_sudokuwikis_version_b_distinguishes_clues_solved_cells_and_candidates() -> None:
    link = "https://www.sudokuwiki.org/sudoku.htm?bd=S9B"  # that of SudokuWiki's example of a grouped AIC
    code = (
        "050f2e0i46015y020466026212064i0a095u0i4601070b0d4m0f4m4a4j4q027n03bu0g06360936164a4i0o010o02474u067n07bu4q"
        "4i464i0b0u0g09064q0a4y040i0a051g5w035w01071y080u1g181609"
    )
    entry = parse_entry(link + code)
    assert entry == parse_entry("S9B" + code)
    assert (entry.format, str(entry.givens)[:9], str(entry.standing)[:9]) == (
        "sudokuwiki",
        "5....1.24",
        "56.9.1.24",
    )


def test_what_version_b_means_cell_by_cell() -> None:
    values = [9, 18, 0, 18 + 0b101, 18 + 0x1FF]  # a clue, a solved cell, nothing known, 1 or 3, any digit
    pairs = "".join(_base36(value) for value in [*values, *[0] * 76])
    entry = parse_entry("S9B" + pairs)
    assert (entry.givens.digits[:5], entry.standing.digits[:5]) == (
        bytes([9, 0, 0, 0, 0]),
        bytes([9, 9, 0, 0, 0]),
    )
    assert entry.candidates[:6] == (0, 0, 0x1FF, 0b101, 0x1FF, 0x1FF)


def _base36(value: int) -> str:
    return "".join("0123456789abcdefghijklmnopqrstuvwxyz"[digit] for digit in divmod(value, 36))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("S9B0123", "expected 162 characters behind 'S9B', found 4"),
        ("S9B" + 160 * "0" + "zz", "r9c9: expected candidates of nine digits"),
        ("S9B0!" + 160 * "0", "r1c1: expected 0-9 or a-z, found '!'"),
        ("S6B" + 72 * "0", "expected a 9x9 board string of version 'S9B', found 'S6B'"),
    ],
)
def test_a_bad_string_of_version_b_is_refused(code: str, words: str) -> None:
    assert words in str(refusal(code))


def test_another_state_version_of_sudoku_coach_is_refused_by_name() -> None:
    assert "SCv8_64_" in str(refusal("SCv8_64_abc"))


@pytest.mark.parametrize(
    "text", ["fpuzzlesN4IgzglgXgpi", "sclAAAAAAAAAA", "SCv7_32_abc", "scl" + "A" * 20_000]
)
def test_a_broken_code_is_refused(text: str) -> None:
    assert "expected" in str(refusal(text))


def test_two_puzzles_are_not_one() -> None:
    error = refusal(f"{LINE}\n{LINE}")
    assert (error.line, error.reason) == (2, "expected one puzzle, found a second")


@pytest.mark.parametrize("front", ["17. ", "17) ", "17: ", "17:", "17)", "017 ", "   9\t"])
def test_a_line_may_be_numbered(front: str) -> None:
    for cells in (LINE, ZEROS):
        assert parse(f"{front}{cells}") == GRID
        assert parse_entry(f"{front}{cells} # easy").comment == "easy"


@pytest.mark.parametrize(
    "link",
    [
        f"https://sudokuexchange.com/play/?s={ZEROS}",
        f"https://sudokuexchange.com/play/?s={ZEROS}&d=3",
        f"https://www.sudokuexchange.com/play/?d=3&s={ZEROS}",
        f"https://sudoku.coach/en/{ZEROS}",
        f"https://sudoku.coach/pt-br/{LINE}",
        f"https://sudoku.coach/de/play/{ZEROS}",
        f"https://sudokupad.app/{ZEROS}",
        f"https://app.crackingthecryptic.com/sudoku/{LINE}",
        f"https://sudokupad.app/?puzzleid={ZEROS}",
    ],
)
def test_links_with_81_cells_are_read(link: str) -> None:
    assert parse(link) == GRID


def test_a_row_that_names_a_column_is_no_header() -> None:
    entry = parse_entry(f"1.2,1.2,1.2,25,{ZEROS},QUIZ,")
    assert (entry.givens, entry.facts["column_6"]) == (GRID, "QUIZ")
