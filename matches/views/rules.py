"""The rules pages: the texts of ``docs/rules`` with their diagrams as boards."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from matches.views.board import draw_board, draw_trail
from rules_engine.picture import Picture
from rules_engine.protocol import State
from rules_engine.registry import SPECS, get_game

_FORM = re.compile(
    r"(?P<game>\S+): (?P<position>.+)\n"
    r"(?:plays (?P<played>\S+)\n|refused (?P<refused>\S+) \((?P<rule>\S+)\)\n)?"
    r"\n(?P<drawing>(?s:.+))"
)


@dataclass(frozen=True, slots=True)
class Diagram:
    """A parsed block. ``played`` and ``refused`` are moves, ``rule`` is the id of the refusing rule; empty if none."""

    game: str
    position: str
    played: str
    refused: str
    rule: str
    drawing: str

    @property
    def state(self) -> State:
        """Return the position as a state of its game; raises ``InvalidNotation``."""
        return get_game(self.game).read(self.position)


def read_diagram(block: str) -> Diagram:
    """Return a parsed block. Raises ``ValueError`` if it is not a diagram."""
    found = _FORM.fullmatch(block)
    if not found:
        raise ValueError(f"this is no diagram:\n{block}")
    return Diagram(**found.groupdict(default=""))


def render_diagram(diagram: Diagram) -> str:
    """Return the diagram as HTML: the board with the way that the played move takes, and a caption."""
    state = diagram.state
    picture = state.picture()
    board = draw_board(
        picture,
        trail=draw_trail(state, diagram.played) if diagram.played else None,
        summary=_describe(picture),
    )
    family = get_game(diagram.game).family
    return render_to_string(f"rules/diagrams/{family}.html", {"board": board, "diagram": diagram})


def _describe(picture: Picture) -> str:
    """Return the position in words, for those who cannot see it."""
    figures = [f"{figure.label} {figure.space}" for figure in picture.figures if figure.space]
    ball = [_("ball %(space)s") % {"space": picture.ball}] if picture.ball else []
    return _("Diagram: %(figures)s") % {"figures": ", ".join([*figures, *ball])}


RULE = re.compile(r"([A-Z][0-9]+)\b")
TEXT = re.compile(r"([a-z0-9-]+)\.md(#.*)?")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a text, and its fragment within the page."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class RulesText:
    """One text: its title, its sections, the families of games that its diagrams show, all below the title as HTML."""

    name: str
    title: str
    sections: tuple[Section, ...]
    families: tuple[str, ...]
    body: str


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """Return every text about rules, those of the games first."""
    families = set(SPECS)
    names = sorted(_names(), key=lambda name: (name not in families, name))
    texts = [_read_text(name) for name in names]
    return render(request, "rules/index.html", {"texts": texts})


@require_safe
def rules_page(request: HttpRequest, name: str) -> HttpResponse:
    """Return one text about rules."""
    if name not in _names():
        raise Http404(_("There are no rules for this game here."))
    how_template = f"boards/{name}/how.html" if name in SPECS else ""
    return render(request, "rules/page.html", {"text": _read_text(name), "how_template": how_template})


def _names() -> set[str]:
    return {path.stem for path in _directory().glob("*.md")}


def _directory() -> Path:
    return Path(settings.BASE_DIR) / "docs" / "rules"


@cache
def _read_text(name: str) -> RulesText:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("fence", _render_fence)
    tokens = markdown.parse((_directory() / f"{name}.md").read_text(encoding="utf-8"))
    sections: list[Section] = []
    title = ""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            if token.tag == "h1":
                title = _plain(inline)
                continue
            token.attrSet("id", _anchor(_plain(inline)))
            if token.tag == "h2":
                sections.append(Section(_anchor(_plain(inline)), _plain(inline)))
        elif token.type == "table_open":
            token.attrSet("class", "table")
        for child in token.children or ():
            _point_to_page(child)
    # The texts are in English and are cached, so they must not depend on the visitor's language.
    with translation.override("en"):
        body = markdown.renderer.render(tokens[3:], markdown.options, {})
    return RulesText(name, title, tuple(sections), _families(tokens), body)


def _families(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the families of the games in the diagrams, each once."""
    diagrams = [read_diagram(token.content) for token in tokens if token.type == "fence" and token.info == "diagram"]
    return tuple(dict.fromkeys(get_game(diagram.game).family for diagram in diagrams))


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _anchor(title: str) -> str:
    """Return a rule's id in small letters, or the whole title as a slug."""
    rule = RULE.match(title)
    return rule[1].lower() if rule else slugify(title)


def _point_to_page(token: Token) -> None:
    """Replace a link to another of these texts by the URL of its page."""
    if token.type == "link_open" and (found := TEXT.fullmatch(str(token.attrGet("href")))):
        token.attrSet("href", reverse("rules", args=[found[1]]) + (found[2] or ""))


def _render_fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    if tokens[index].info == "diagram":
        return render_diagram(read_diagram(tokens[index].content))
    return renderer.fence(tokens, index, options, env)
