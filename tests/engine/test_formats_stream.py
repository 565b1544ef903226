"""Reading files: puzzle after puzzle in constant memory, errors in their place."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest

from engine import Grid, PuzzleFormatError
from engine.formats import FORMATS, Entry, read
from engine.formats.source import LONGEST_LINE

LINE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
GRID = Grid.from_digits(0 if mark == "." else int(mark) for mark in LINE)
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
BLOCK = "\n".join(ROWS)


def found(text: str | bytes) -> list[Entry | PuzzleFormatError]:
    return list(read(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def described(text: str | bytes) -> list[str]:
    """Describe the contents of a file: 'puzzle' for ours at its line, else the error."""
    words = []
    for item in found(text):
        if isinstance(item, PuzzleFormatError):
            words.append(str(item))
        else:
            assert item.givens == GRID
            words.append(f"puzzle at {item.line}")
    return words


class Endless(io.RawIOBase):
    """A file of the same bytes over and over, made as it is read."""

    def __init__(self, piece: bytes, length: int, head: bytes = b"") -> None:
        self.piece, self.left, self.head = piece * (65536 // len(piece) + 1), length, head
        self.at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        taken, self.head = self.head[: len(buffer)], self.head[len(buffer) :]
        if not taken:
            taken = self.piece[self.at :][: min(len(buffer), self.left)]
            self.left -= len(taken)
            self.at = (self.at + len(taken)) % len(self.piece)
        buffer[: len(taken)] = taken
        return len(taken)


def peak_of(stream: io.RawIOBase) -> tuple[list[str], int, int]:
    """Return the errors and the number of puzzles in a stream, and the peak memory of reading it."""
    tracemalloc.start()
    try:
        refusals, puzzles = [], 0
        for item in read(io.BufferedReader(stream)):
            if isinstance(item, PuzzleFormatError):
                refusals.append(str(item))
            else:
                puzzles += 1
        return refusals, puzzles, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_puzzles_of_a_file_come_in_order_with_their_lines() -> None:
    assert described(f"# two\n{LINE}\n\n{LINE} # easy\n") == ["puzzle at 2", "puzzle at 4"]


def test_a_bad_line_is_refused_in_its_place_and_the_others_are_read() -> None:
    assert described(f"{LINE}\nrubbish\n{LINE[:80]}\n{LINE[:5]}q{LINE[6:]}\n{LINE}\n") == [
        "puzzle at 1",
        "line 2: expected 81 cells, found the text 'rubbish'",
        "line 3: expected 81 cells, found 80",
        "line 4, r1c6: expected 1-9, 0 or '.', found 'q'",
        "puzzle at 5",
    ]


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n+---+---+---+\n", "\nGrid 02\n", "\n\n# next\n\n"])
def test_block_after_block_is_read(gap: str) -> None:
    assert [words.split()[0] for words in described(BLOCK + gap + BLOCK)] == ["puzzle", "puzzle"]


def test_titles_between_blocks_are_their_comments() -> None:
    entries = found(f"Grid 01\n{BLOCK}\nGrid 02\n{BLOCK}\n")
    assert [entry.comment for entry in entries if isinstance(entry, Entry)] == ["Grid 01", "Grid 02"]


def test_words_in_a_list_of_lines_are_refused() -> None:
    assert described(f"{LINE}\nthe end\n")[1].startswith("line 2")


def test_a_block_with_a_bad_row_is_refused_once_and_the_next_is_read() -> None:
    broken = "\n".join([*ROWS[:3], ROWS[3][:8], *ROWS[4:]])
    assert described(f"{broken}\n\n{BLOCK}\n") == [
        "line 4: expected 9 cells in row 4, found 8",
        "puzzle at 11",
    ]


def test_a_block_that_ends_early_is_refused_and_the_line_after_it_is_read() -> None:
    assert described("\n".join([*ROWS[:4], "", LINE])) == ["line 1: expected 9 rows, found 4", "puzzle at 6"]


def test_blocks_in_which_a_dash_is_an_empty_cell_are_read() -> None:
    dashed = BLOCK.replace(".", "-")
    full = dashed.replace(dashed.split("\n")[1], "---------")
    grids = [
        entry.givens.givens for entry in found(f"{dashed}\n\n{full}\n{full}") if isinstance(entry, Entry)
    ]
    assert grids == [28, 27, 27]


def test_each_of_several_games_is_read_and_a_bad_one_refused_in_its_place() -> None:
    text = FORMATS["opensudoku"].write(Entry(GRID))
    game = next(line for line in text.split("\n") if "<game" in line)
    bad = game.replace("8316", "x316")
    items = found(text.replace(game, f"{game}\n{bad}\n{game}"))
    assert [type(item) for item in items] == [Entry, PuzzleFormatError, Entry]
    assert str(items[1]) == "line 5, r3c2: expected 1-9, 0 or '.', found 'x'"


def test_old_macintosh_line_ends_are_understood() -> None:
    assert described(f"{LINE}\r{LINE}\r") == ["puzzle at 1", "puzzle at 2"]


def test_letters_of_another_encoding_in_a_comment_do_no_harm() -> None:
    assert described(LINE.encode() + b" # sch\xf6n\n") == ["puzzle at 1"]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG image"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04\x14", "ZIP archive"),
        (LINE.encode("utf-16-le"), "zero byte"),
        (b"SQLite format 3\0", "SQLite"),
        (LINE.encode() + b"\nab\0cd\n", "zero byte"),
    ],
)
def test_a_file_of_the_wrong_kind_is_refused_with_its_reason(head: bytes, words: str) -> None:
    refusals = [
        str(item) for item in found(head + b"\n" + LINE.encode()) if isinstance(item, PuzzleFormatError)
    ]
    assert len(refusals) == 1
    assert words in refusals[0]


def test_a_line_of_two_gigabytes_is_refused_in_constant_memory() -> None:
    refusals, puzzles, peak = peak_of(Endless(b"1", 2 << 30))
    assert puzzles == 0
    assert refusals == [
        f"line 1: expected at most {LONGEST_LINE} bytes, found a longer line",
        "line 1: expected lines of text, found an endless line",
    ]
    assert peak < 4 << 20


def test_after_an_overlong_line_the_next_is_read() -> None:
    assert described(f"{'1' * (LONGEST_LINE + 1)}\n{LINE}\n{'2' * (LONGEST_LINE - 1)}\n{LINE}") == [
        f"line 1: expected at most {LONGEST_LINE} bytes, found a longer line",
        "puzzle at 2",
        f"line 3: expected 81 cells, found {LONGEST_LINE - 1}",
        "puzzle at 4",
    ]


def test_an_endless_game_of_opensudoku_is_refused_in_constant_memory() -> None:
    refusals, _, peak = peak_of(Endless(b"1", 1 << 28, head=b'<opensudoku><game data="'))
    assert ["endless" in words for words in refusals] == [True]
    assert peak < 16 << 20


@pytest.mark.parametrize("separator", [b"\n", b" # 28\n", b",1.5\n"])
def test_a_long_file_of_lines_takes_no_more_memory_than_a_short_one(separator: bytes) -> None:
    piece = LINE.encode() + separator
    refusals, puzzles, peak = peak_of(Endless(piece, 10_000 * len(piece)))
    assert (refusals, puzzles) == ([], 10_000)
    assert peak < 1 << 20


@pytest.mark.data
def test_every_line_of_a_collection_is_read(data: Path) -> None:
    with (data / "clues17.txt").open("rb") as stream:
        assert sum(isinstance(item, Entry) and item.givens.givens == 17 for item in read(stream)) == 49_158


@pytest.mark.data
def test_every_technique_case_is_read_as_a_library_line(data: Path) -> None:
    with (data / "technique_cases.txt").open("rb") as stream:
        entries = [item for item in read(stream) if isinstance(item, Entry)]
    lines = [line for line in (data / "technique_cases.txt").read_text().split("\n") if line.startswith(":")]
    assert [FORMATS["hodoku"].write(entry).rstrip(":") for entry in entries] == [
        line.rstrip(":") for line in lines
    ]


@pytest.mark.data
@pytest.mark.parametrize("name", ["rated_random.csv", "rated_by_level.csv", "human_times.csv"])
def test_every_row_of_a_table_is_read(data: Path, name: str) -> None:
    with (data / name).open("rb") as stream:
        items = list(read(stream))
    assert len(items) == len((data / name).read_text().split()) - 1
    assert {item.format for item in items if isinstance(item, Entry)} == {"csv"}


@pytest.mark.parametrize(
    "title", ["Rätsel für Köln", "L’énigme créée à Noël", "¿Mañana?", "Straße „Übung“ – 5 €"]
)
def test_windows_1252_keeps_its_letters(title: str) -> None:
    (entry,) = found(f"puzzle,title\n{LINE},{title}\n".encode("cp1252"))
    assert entry.title == title


@pytest.mark.parametrize(
    ("title", "encoding"),
    [
        ("数独パズル", "shift-jis"),
        ("数独题目", "gbk"),
        ("Судоку дня", "cp1251"),
        ("Rätsel für Köln", "cp850"),
        ("Rätsel für Köln", "mac_roman"),
    ],
)
def test_a_line_in_an_unknown_encoding_is_rejected_alone(title: str, encoding: str) -> None:
    text = f"puzzle,title\n{LINE},Plain\n{LINE},{title}\n{LINE},Plain\n"
    assert described(text.encode(encoding)) == [
        "puzzle at 2",
        "line 3: expected UTF-8 or Windows-1252 text, found another encoding",
        "puzzle at 4",
    ]


def test_json_in_another_encoding_is_rejected_by_line_after_what_came_before() -> None:
    text = f'[{{"puzzle": "{LINE}"}},\n{{"puzzle": "{LINE}", "title": "Köln"}}]'
    assert described(text.encode("cp1252")) == [
        "puzzle at 1",
        "line 2: expected JSON in UTF-8, found another encoding",
    ]


def test_half_a_character_of_utf_16_is_rejected() -> None:
    assert described(f"{LINE}\n{LINE}".encode("utf-16") + b"\x00")[0] == "puzzle at 1"
    assert "puzzle at 2" not in described(f"{LINE}\n{LINE} ".encode("utf-16") + b"\x00")


EMPTY = "." * 9


def sheet(rows: list[str], mark: str) -> str:
    return "\n".join(mark.join(cell if cell != "." else "" for cell in row) for row in rows) + "\n"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    "empty", [None, 0, 8], ids=["no empty row", "the first row is empty", "the last row is empty"]
)
def test_an_empty_row_between_two_grids_of_a_spreadsheet_is_a_gap(mark: str, empty: int | None) -> None:
    rows = [EMPTY if at == empty else row for at, row in enumerate(ROWS)]
    one, other, gap = sheet(rows, mark), sheet(ROWS, mark), mark * 8 + "\n"
    for text in (one + gap + other, other + gap + one, f"Title{gap}{one}{gap}Title{gap}{other}"):
        givens = [str(item.givens) for item in found(text) if isinstance(item, Entry)]
        assert sorted(givens) == sorted(["".join(rows), LINE])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_81_fields_with_blanks_are_a_puzzle(mark: str) -> None:
    cells = mark.join(cell if cell != "." else "" for cell in LINE)
    assert described(f"{cells}\n{cells}\n") == ["puzzle at 1", "puzzle at 2"]
    (entry,) = found(f"Monday{mark}{cells}\n")
    assert (entry.givens, entry.facts) == (GRID, {"column_1": "Monday"})


@pytest.mark.parametrize("quote", ['"', "'"])
def test_quoted_lines_may_have_blanks_for_empty_cells(quote: str) -> None:
    blank = LINE.replace(".", " ")
    assert described(f"{quote}{blank}{quote}\n{quote}{LINE}{quote},\n") == ["puzzle at 1", "puzzle at 2"]
    rows = "\n".join(f"{quote}{row.replace('.', ' ')}{quote}" for row in ROWS)
    assert described(rows) == ["puzzle at 1"]


@pytest.mark.parametrize("header", ["puzzle,title\n", ""])
def test_a_quoted_field_may_hold_the_nine_rows(header: str) -> None:
    text = f'{header}"{BLOCK}",One\n"{BLOCK}",Two\n'
    first = 1 + bool(header)
    assert described(text) == [f"puzzle at {first}", f"puzzle at {first + 9}"]
