"""A search for any game: expectimax with iterative deepening, within a budget of positions. Pure: no clock, no dice."""

from rules_engine.search.budget import Budget, SearchResult
from rules_engine.search.level import Level, Opening, Searcher
from rules_engine.search.root_search import never, search
from rules_engine.search.view import Evaluation, PlainView, View
