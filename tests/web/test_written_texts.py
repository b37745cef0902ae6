"""What people write is checked: names, longer texts, and names that look like others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.errors import InvalidDetails
from web.storable_text import printable
from web.written_texts import clean_name, clean_text, find_skeleton

WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Red \n\t Foxes\u2028FC ", "Red Foxes FC"),
        ("Ｆｏｘｅｓ ﬁne ①", "Foxes fine 1"),
        ("Łódź", "Ło\u0301dz\u0301"),
        ("ලංකා ශ්‍රී", "ලංකා ශ්‍රී"),
        ("می‌خواهم", "می‌خواهم"),
        ("क्‍ष घोड़ों", "क्‍ष घोड़ों"),
        ("แก้ว עִבְרִית ⚽\ufe0f", "แก้ว עִבְרִית ⚽\ufe0f"),
    ],
)
def test_a_name_of_any_script_is_kept_in_one_form(written, kept):
    assert find_skeleton(clean_name(written)) == find_skeleton(kept)
    assert clean_name(clean_name(written)) == clean_name(written)


SEEN = "Type the name again without it."


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Fo\u200bxes", f"Character 3 of the name cannot be used: U+200B ZERO WIDTH SPACE. {SEEN}"),
        ("\u202eFoxes", f"Character 1 of the name cannot be used: U+202E RIGHT-TO-LEFT OVERRIDE. {SEEN}"),
        ("Foxes\ufffe", f"Character 6 of the name cannot be used: U+FFFE. {SEEN}"),
        ("Fo\x07xes", f"Character 3 of the name cannot be used: U+0007. {SEEN}"),
        ("Fo\u200dxes", f"Character 3 of the name cannot be used: U+200D ZERO WIDTH JOINER. {SEEN}"),
        ("م\u200c", f"Character 2 of the name cannot be used: U+200C ZERO WIDTH NON-JOINER. {SEEN}"),
        ("Foxes \u3164", f"Character 7 of the name cannot be used: U+1160 HANGUL JUNGSEONG FILLER. {SEEN}"),
        ("Foxes \ue000", f"Character 7 of the name cannot be used: U+E000. {SEEN}"),
        ("\ud800", f"Character 1 of the name cannot be used: U+D800. {SEEN}"),
        ("", "A name needs at least one letter."),
        ("⚽ 2026!", "A name needs at least one letter."),
        ("Fo\u0316\u0317\u0318xes", "“o” has too many accents or other marks: at most 2 can stand on a letter."),
    ],
)
def test_a_name_that_cannot_be_seen_or_covers_others_is_refused_with_the_reason(name, sentence):
    with pytest.raises(InvalidDetails) as refused:
        clean_name(name, field="title")
    assert refused.value.fields == {"title": [sentence]}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("Tea\r\nat\rfive\x0b\u2028– e\u0301", "Tea\nat\nfive\n\n– é"),
        (f"\tCo\u00adoperation 👨\u200d👩\u200d👧 {WALES}", f"\tCo\u00adoperation 👨\u200d👩\u200d👧 {WALES}"),
        ("שלום\u200f (2)", "שלום\u200f (2)"),
        ("\U0001fae9", "\U0001fae9"),
    ],
)
def test_a_text_keeps_what_can_be_seen(text, kept):
    assert clean_text(text, field="text") == kept


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\nb\x00", "Line 2 has a character that cannot be used: U+0000. Type the line again."),
        ("a\u202e", "Line 1 has a character that cannot be used: U+202E RIGHT-TO-LEFT OVERRIDE. Type the line again."),
        ("a\uffff", "Line 1 has a character that cannot be used: U+FFFF. Type the line again."),
        (
            "a\U000e0041",
            "Line 1 has a character that cannot be used: U+E0041 TAG LATIN CAPITAL LETTER A. Type the line again.",
        ),
        ("\u200b\u3164\n ", "Write something that can be seen."),
        ("o" + 5 * "\u0316", "“o” has too many accents or other marks: at most 4 can stand on a letter."),
    ],
)
def test_a_text_that_cannot_be_shown_is_refused_with_the_reason(text, sentence):
    with pytest.raises(InvalidDetails) as refused:
        clean_text(text, field="text")
    assert refused.value.fields == {"text": [sentence]}


@given(st.text(st.characters(), max_size=40))
def test_whatever_passes_can_be_printed_and_passes_again(text):
    for clean in (clean_name, clean_text):
        try:
            kept = clean(text, field="text")
        except InvalidDetails:
            continue
        assert printable(kept) == kept == clean(kept, field="text")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paypal", "РАУРАL"),
        ("All Stars", "AlI Stars"),
        ("FC 10", "FC IO"),
        ("modern", "modem"),
        ("Łódź", "Ł́ódź".replace("\u0301", "", 1)),
        ("Foxes", "Fo\ufe0fxes"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert find_skeleton(one) == find_skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Łódź", "Lodz"), ("Foxes", "Foxes 2"), ("Москва", "Moskva"), ("東京", "東亰")]
)
def test_names_that_look_different_have_not(one, other):
    assert find_skeleton(one) != find_skeleton(other)
