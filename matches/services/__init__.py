"""What changes matches and seeks. Services write; callers give ``now``."""

from matches.services.computers import call_waiting_computers, move_computer, play_against_computer
from matches.services.ending import expire_due, expire_match, resign
from matches.services.playing import PlayedMove, play_move
from matches.services.rematches import offer_rematch
from matches.services.seeks import decline_seek, open_seek, take_seek, withdraw_seek
from matches.services.starting import start_match

__all__ = [
    "PlayedMove",
    "call_waiting_computers",
    "decline_seek",
    "expire_due",
    "expire_match",
    "move_computer",
    "offer_rematch",
    "open_seek",
    "play_against_computer",
    "play_move",
    "resign",
    "start_match",
    "take_seek",
    "withdraw_seek",
]
