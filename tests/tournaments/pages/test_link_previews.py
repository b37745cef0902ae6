"""The picture that a link to a competition shows elsewhere: what it says, and when it is drawn anew."""

import io

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from tests.tournaments.verbs import end, make_cup, make_ladder, running, start_cup
from tournaments.models import Competition
from tournaments.pages.pictures.link_preview import FONT, LinkPreview, draw_link_preview
from tournaments.pages.sentences import preview_of
from tournaments.pages.views import embeds
from tournaments.records.competitions import get_cup


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.clear()


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "path"), [(make_cup, "/cups/cup/"), (make_ladder, "/ladders/ladder/")])
def test_the_picture_is_as_large_as_its_description_says_and_small_to_send(client, make, path):
    make()
    answer = client.get(f"{path}preview.png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert "public" in answer["Cache-Control"]
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert len(answer.content) < 100_000
    assert client.get(f"{path}preview.png", headers={"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_it_says_the_name_how_it_is_played_how_it_stands_and_who_has_won():
    cup, entries = start_cup(2, legs=1)
    before = preview_of(get_cup("cup"))
    assert before == LinkPreview("Cup", ("Knock-out", "StreetSoccer (full set-up) · running"))
    end(running(cup)[0], entries[0])
    after = preview_of(get_cup("cup"))
    assert after == LinkPreview("Cup", ("Knock-out", "StreetSoccer (full set-up) · finished"), f"Winner: {entries[0]}")
    assert after.digest != before.digest


@pytest.mark.django_db
def test_it_is_drawn_once_until_it_says_something_else(client, monkeypatch):
    drawn: list[str] = []

    def draw(preview: LinkPreview) -> bytes:
        drawn.append(preview.name)
        return b"png"

    monkeypatch.setattr(embeds, "draw_link_preview", draw)
    make_cup()
    for name in ("Cup", "Cup", "Other", "Other"):
        Competition.objects.update(name=name)
        client.get("/cups/cup/preview.png")
    assert drawn == ["Cup", "Other"]


@given(st.text(max_size=80), st.text(max_size=200), st.text(max_size=30))
def test_any_text_can_be_drawn(name, line, winner):
    assert draw_link_preview(LinkPreview(name, (line,), winner)).startswith(b"\x89PNG")


@pytest.mark.parametrize("text", ["", " ", "\n\r\t", "W" * 80, "\u202e\u05d0\u05d1", "日本語 🎉", "\ud800"])
def test_odd_names_can_be_drawn(text):
    assert draw_link_preview(LinkPreview(text, (text,), text)).startswith(b"\x89PNG")


def test_the_font_has_the_letters_of_those_who_play():
    font = ImageFont.truetype(FONT, 40)
    missing = bytes(font.getmask("\U0010fffd"))
    for letter in "äöüßÄÖÜ łąęśćżźńóŁĄĘŚĆŻŹŃÓ řšžčěůďťňŘŠŽČĚŮĎŤŇ ëïéèç ñ · – ’".replace(" ", ""):
        assert bytes(font.getmask(letter)) != missing, letter
