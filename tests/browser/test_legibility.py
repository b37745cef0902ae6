"""Tests that all text can be read against what is behind it, light and dark."""

import pytest
from django.utils import timezone

from matches.models import Colour
from matches.services.seeks import open_seek
from tests.browser.conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATHS = ["/", "/seeks/", "{match}", "/players/anna/", "/profile/", "/rules/paper-soccer/", "/replay/"]

FAINT = """() => {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  const read = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return { shades: [red, green, blue], alpha: alpha / 255 };
  };
  const lay = (top, below) => top.shades.map((shade, each) => shade * top.alpha + below[each] * (1 - top.alpha));
  const brightness = (shades) => {
    const [red, green, blue] = shades.map((shade) => {
      const part = shade / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    const top = read(getComputedStyle(element).backgroundColor);
    return lay(top, element.parentElement ? behind(element.parentElement) : [255, 255, 255]);
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const words = texts.currentNode.textContent.trim();
    if (!words || !element.checkVisibility() || element.closest("svg, script, .visually-hidden")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const ground = behind(element);
    const [dark, bright] = [brightness(ground), brightness(lay(read(color), ground))].sort((a, b) => a - b);
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    const contrast = (bright + 0.05) / (dark + 0.05);
    if (contrast < (large ? 3 : 4.5)) faint.push(`${words}: ${contrast.toFixed(2)}`);
  }
  return faint;
}"""
"""The texts whose contrast is less than WCAG's AA asks for, with their contrast. Drawings are left out."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(match, anna, piotr, open_page, scheme):
    open_seek(
        creator=piotr,
        invited=anna,
        game=match.game,
        colour=Colour.RANDOM,
        time_control=match.time_control,
        now=timezone.now(),
    )
    page = open_page(anna, "/", viewport=PHONE, color_scheme=scheme)
    faint = {}
    for path in PATHS:
        page.goto(path.format(match=match.get_absolute_url()))
        faint[path] = page.evaluate(FAINT)
    assert {path: texts for path, texts in faint.items() if texts} == {}
