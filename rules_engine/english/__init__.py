"""The engine's sentences in English. Another language is a package like this one, with the same codes."""

from typing import Final

from rules_engine.english import paper_soccer, shared, soccer_tactics, streetsoccer

SENTENCES: Final = {
    **shared.SENTENCES,
    **streetsoccer.SENTENCES,
    **paper_soccer.SENTENCES,
    **soccer_tactics.SENTENCES,
}

WORDS: Final = {**shared.WORDS, **paper_soccer.WORDS, **soccer_tactics.WORDS}


def plural_form(number: int) -> int:
    """Return which of a word's forms stands beside a number: 0 for one, 1 for others."""
    return int(number != 1)
