"""A search for any game: expectimax with iterative deepening, within a budget of positions. Pure: no clock, no dice."""

from rules_engine.search.budget import Budget, Thought
from rules_engine.search.level import Level, Opening, Searcher
from rules_engine.search.thinking import never, think
from rules_engine.search.view import Evaluation, PlainView, View

__all__ = ["Budget", "Evaluation", "Level", "Opening", "PlainView", "Searcher", "Thought", "View", "never", "think"]
