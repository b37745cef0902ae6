"""What changes matches and seeks. Services write; callers give ``now``."""

from matches.services.analysing import call_waiting_analyses, want_analysis
from matches.services.computers import (
    call_waiting_computers,
    choose_move,
    claim_turn,
    play_against_computer,
    play_choice,
    take_waiting_seeks,
)
from matches.services.ending import resign
from matches.services.expiring import expire_due, expire_match
from matches.services.pausing import pause_competition, resume_competition
from matches.services.playing import PlayedMove, PlayedTurn, play_move, play_turn
from matches.services.rematches import offer_rematch
from matches.services.seeks import decline_seek, open_seek, take_seek, withdraw_seek
from matches.services.starting import MatchTerms, Pairing, start_match, start_matches
from matches.services.vacation import give_days, take_vacation

__all__ = [
    "MatchTerms",
    "Pairing",
    "PlayedMove",
    "PlayedTurn",
    "call_waiting_analyses",
    "call_waiting_computers",
    "choose_move",
    "claim_turn",
    "decline_seek",
    "expire_due",
    "expire_match",
    "give_days",
    "offer_rematch",
    "open_seek",
    "pause_competition",
    "play_against_computer",
    "play_choice",
    "play_move",
    "play_turn",
    "resign",
    "resume_competition",
    "start_match",
    "start_matches",
    "take_seek",
    "take_vacation",
    "take_waiting_seeks",
    "want_analysis",
    "withdraw_seek",
]
