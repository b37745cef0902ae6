"""The picture that links to a competition show elsewhere: its name, how it is played, and how it stands, as PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from math import cos, radians, sin
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 1200, 630
VERSION = 1
"""To be counted up when pictures are drawn otherwise, so that none of the old ones is shown any more."""

SCALE = 2
"""The factor by which a picture is drawn larger than it is shown, so that edges are smooth."""

LEFT, TEXT_WIDTH = 70, 620
GRASS, CHALK, WHITE, DARK, GOLD = "#1c6155", "#88ab9f", "#ffffff", "#20242b", "#ffc928"
BALL, BALL_RADIUS, RING_RADIUS = (1010, 315), 212, 286
PATCH = ((0, 211), (55, 184), (0, 138), (-55, 184))
FONT = Path(__file__).parent / "fonts" / "dejavu-sans-bold.ttf"
"""The letters of European languages: the font that comes with Pillow has those of English alone."""

MAX_LINES = 3
ELLIPSIS = "…"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The text of a picture: the competition's name, lines on how it is played and stands, and perhaps its winner."""

    name: str
    lines: Sequence[str]
    winner: str = ""

    @property
    def digest(self) -> str:
        """Return a short text that is another one for a picture that says something else."""
        return sha256(repr((VERSION, self)).encode()).hexdigest()[:16]


def draw_link_preview(preview: LinkPreview) -> bytes:
    """Return the picture. Text is cut where it is too long, and what the font lacks is an empty box."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - few processes ever draw one

    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), GRASS)
    draw = ImageDraw.Draw(image)
    _draw_ball(draw)
    _Column(draw).write(preview)
    written = BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.BOX).save(written, "PNG")
    return written.getvalue()


def _draw_ball(draw: Any) -> None:
    draw.ellipse(_around(RING_RADIUS), outline=CHALK, width=6 * SCALE)
    draw.ellipse(_around(BALL_RADIUS), fill=WHITE)
    draw.polygon([_turned((0, 83), 72 * corner) for corner in range(5)], fill=DARK)
    for corner in range(5):
        draw.polygon([_turned(point, 72 * corner) for point in PATCH], fill=DARK)
        seam = ((-7, 80), (7, 80), (7, 138), (-7, 138))
        draw.polygon([_turned(point, 72 * corner) for point in seam], fill=DARK)


def _around(radius: float) -> tuple[Point, Point]:
    (x, y), size = BALL, radius * SCALE
    return (x * SCALE - size, y * SCALE - size), (x * SCALE + size, y * SCALE + size)


def _turned(point: Point, degrees: float) -> Point:
    """Return a point above the middle of the ball, turned around that."""
    (x, y), angle = point, radians(degrees)
    turned = x * cos(angle) + y * sin(angle), x * sin(angle) - y * cos(angle)
    return (BALL[0] + turned[0]) * SCALE, (BALL[1] + turned[1]) * SCALE


class _Column:
    """Writes lines of text below each other."""

    def __init__(self, draw: Any) -> None:
        self._draw, self._top = draw, 60

    def write(self, preview: LinkPreview) -> None:
        self._add("Kickabout", size=32, colour=GOLD, gap=26)
        self._add(preview.name, size=58 if len(preview.name) <= 40 else 46, colour=WHITE, gap=24, lines=MAX_LINES)
        for line in preview.lines:
            self._add(line, size=28, colour=WHITE, gap=10, lines=2)
        if preview.winner:
            self._add(preview.winner, size=34, colour=GOLD, gap=0, lines=2)

    def _add(self, text: str, *, size: int, colour: str, gap: int, lines: int = 1) -> None:
        from PIL import ImageFont  # noqa: PLC0415 - as above

        font = ImageFont.truetype(FONT, size * SCALE)
        for line in _wrap(text, font, lines):
            self._draw.text((LEFT * SCALE, self._top * SCALE), line, font=font, fill=colour)
            self._top += round(size * 1.2)
        self._top += gap


def _wrap(text: str, font: Any, most: int) -> list[str]:
    """Return a text as at most so many lines that fit, the last one cut if it has to be."""
    words, lines = text.split(), [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or _fits(longer, font):
            lines[-1] = longer
        else:
            lines.append(word)
    is_cut = len(lines) > most
    kept = [_cut(line, font) for line in lines[:most]]
    if is_cut and not kept[-1].endswith(ELLIPSIS):
        kept[-1] = _cut(f"{kept[-1]} {ELLIPSIS}", font)
    return kept


def _cut(line: str, font: Any) -> str:
    """Return a line, or as much of it as fits."""
    if _fits(line, font):
        return line
    while line and not _fits(f"{line}{ELLIPSIS}", font):
        line = line[:-1]
    return f"{line}{ELLIPSIS}"


def _fits(line: str, font: Any) -> bool:
    return bool(font.getlength(line) <= TEXT_WIDTH * SCALE)
