"""What is stored of players: accounts, ratings, vacation, API tokens."""

from players.models.player import Player
from players.models.rating import START_RATING, Rating
from players.models.token import ApiToken, Scope
from players.models.vacation import VacationDay

__all__ = ["START_RATING", "ApiToken", "Player", "Rating", "Scope", "VacationDay"]
