"""The pages that differ by more than their words."""

import pytest

from tests.browser.outlines import outline

PAGE = """
    <main id="content" class="narrow"><h1>Cups</h1><h2 id="open">Open</h2>
    <p>Two of <a href="/cups/">them</a>.<br>Both are open.</p><ul><li>Open</li><li>Spring</li></ul>
    <form><label for="id_name">Name</label><input id="id_name" name="name" type="text"></form>
    <p class="buttons"><button type="submit">Enter</button></p></main>
"""


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("Cups", "Ladders"),
        ('href="/cups/"', 'href="/ladders/"'),
        ('id="open"', 'id="closed"'),
        ("id_name", "id_title"),
        ('class="narrow"', 'class="narrow model-cup row1"'),
        ("<li>Spring", "<li>Autumn</li><li>Spring"),
    ],
)
def test_words_links_and_rows_of_the_same_kind_make_no_other_page(part, other):
    assert part in PAGE
    assert outline(PAGE.replace(part, other)) == outline(PAGE)


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ('class="narrow"', 'class="wide"'),
        ('type="submit"', 'type="reset"'),
        ('for="id_name"', 'for="id_title"'),
        ('type="text"', 'type="text" required'),
        ("<a href", '<a aria-current="page" href'),
        ("<h2", "<h3"),
        (">them<", "> <"),
        ("Enter", "<b>Enter</b>"),
        ('<p class="buttons">', '<hr><p class="buttons">'),
    ],
)
def test_another_element_place_attribute_or_lack_makes_another_page(part, other):
    assert part in PAGE
    assert not outline(PAGE.replace(part, other)) <= outline(PAGE)


def test_a_field_that_names_itself_needs_no_label():
    named = '<input type="text" aria-label="Name">'
    assert not [part for part in outline(named) if "without label" in part]
    assert [part for part in outline(named.replace("aria-label", "placeholder")) if "without label" in part]
