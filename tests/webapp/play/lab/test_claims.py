"""The claims of the five texts on the site are the rows of docs/literature.md."""

from __future__ import annotations

from tests.webapp.visitors import Visitor
from webapp.play.lab.claims import DOCUMENT
from webapp.play.lab.lab import SYSTEMS


def test_every_row_of_the_document_is_on_the_page(guest: Visitor) -> None:
    guest.get("/lab/claims")
    lists = guest.page.select("main ul")
    assert [each["lang"] for each in lists] == ["en"] * len(SYSTEMS)
    lines = DOCUMENT.read_text().splitlines()
    for letter, shown in zip(SYSTEMS, lists, strict=True):
        rows = [line for line in lines if line.startswith(f"| {letter.upper()} | ")]
        written = [row.replace("`", "").split(" | ") for row in rows if row.count(" | ") == 3]
        assert len(written) > 10
        found = [[part.get_text() for part in item.select("p")] for item in shown.select("li")]
        assert [row[:2] for row in found] == [cells[1:3] for cells in written]


def test_the_laboratory_leads_to_the_claims(guest: Visitor) -> None:
    guest.get("/lab")
    assert guest.page.select_one("#lab-sources").find_parent("section").select_one("a[href='/lab/claims']")
