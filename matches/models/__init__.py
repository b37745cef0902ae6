"""What is stored of matches: the match, its moves, seeks, and answers that are kept for repeated requests."""

from matches.models.answer import StoredAnswer
from matches.models.match import Match, Status
from matches.models.move import Actor, Move
from matches.models.seek import Colour, Seek, SeekStatus

__all__ = ["Actor", "Colour", "Match", "Move", "Seek", "SeekStatus", "Status", "StoredAnswer"]
