"""LZ-String in base64, as links carry it: an LZW whose code width grows with the dictionary, low bit first.

Code 0 announces a new 8-bit character, 1 a 16-bit one, 2 ends the text, and codes from 3 on are dictionary
words. Each code but the first adds a word: the previous one plus the first character of this one.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from ..errors import PuzzleFormatError

_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS: Final = {ord(character): f"{value:06b}" for value, character in enumerate(_ALPHABET)}
_BITS.update({ord("-"): _BITS[ord("+")], ord("_"): _BITS[ord("/")]})  # the URL-safe alphabet
_SHORT, _LONG, _END, _FIRST_WORD = 0, 1, 2, 3

LONGEST_CODE: Final = 12_288  # characters of base64; a classic puzzle with all marks takes some 3,000
LONGEST_TEXT: Final = 65_536  # characters after unpacking


def decompress(base64: str) -> str:
    """Return the text of a base64 code, which may be URL-safe or have blanks for '+'.

    Raises PuzzleFormatError if it is invalid, or longer than any puzzle.
    """
    if len(base64) > LONGEST_CODE:
        raise PuzzleFormatError(
            "expected at most %(most)s characters of base64, found %(found)s",
            most=LONGEST_CODE,
            found=len(base64),
        )
    code = unquote(base64.strip()).replace(" ", "+").rstrip("=")
    bad = next((character for character in code if ord(character) not in _BITS), None)
    if bad is not None:
        raise PuzzleFormatError("expected base64, found %(found)s", character=bad, found=f"{bad!r}")
    # Reversed once, so that codes are high to low and int() parses each at once.
    bits = code.translate(_BITS)[::-1]
    end = len(bits)
    words = [""] * _FIRST_WORD
    out: list[str] = []
    length = 0
    previous = ""
    while True:
        width = len(words).bit_length()
        start = end - width
        number = int(bits[start:end], 2) if start >= 0 else _END
        if number in (_SHORT, _LONG):
            end, start = start, start - (8 if number == _SHORT else 16)
            if start < 0:
                raise PuzzleFormatError("expected more of the packed text, found its end")
            word = chr(int(bits[start:end], 2))
            words.append(word)
        elif number == _END:
            return "".join(out)
        elif number < len(words):
            word = words[number]
        elif number == len(words) and previous:
            word = previous + previous[0]
        else:
            raise PuzzleFormatError("expected a packed text, found the unknown code %(found)s", found=number)
        end = start
        if previous:
            words.append(previous + word[0])
        out.append(word)
        length += len(word)
        if length > LONGEST_TEXT:
            raise PuzzleFormatError(
                "expected at most %(most)s characters, found more when unpacking", most=LONGEST_TEXT
            )
        previous = word


def compress(text: str) -> str:
    """Return the base64 code of a text whose characters are below 65,536."""
    numbers: dict[str, int] = {}
    new = set(text)  # characters without a code yet
    known = _FIRST_WORD  # size of the reader's dictionary at the next code
    bits: list[str] = []
    word = ""

    def send(number: int, width: int) -> None:
        bits.append(f"{number:0{width}b}"[::-1])

    def send_word(word: str) -> None:
        nonlocal known
        first = not bits
        width = known.bit_length()
        if word in new:
            new.discard(word)
            size = 8 if ord(word) < 256 else 16
            send(_SHORT if size == 8 else _LONG, width)
            send(ord(word), size)
            known += 1
        else:
            send(numbers[word], width)
        known += not first

    for character in text:
        numbers.setdefault(character, len(numbers) + _FIRST_WORD)
        if word + character in numbers:
            word += character
        else:
            send_word(word)
            numbers[word + character] = len(numbers) + _FIRST_WORD
            word = character
    if word:
        send_word(word)
    send(_END, known.bit_length())
    stream = "".join(bits) + "0"  # at least one spare bit, as in the original
    stream += "0" * (-len(stream) % 6)
    code = "".join(_ALPHABET[int(stream[at : at + 6], 2)] for at in range(0, len(stream), 6))
    return code + "=" * (-len(code) % 4)
