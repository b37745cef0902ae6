"""Services that change matches and seeks. Callers give ``now``."""

from matches.services.analyses import call_waiting_analyses, request_analysis
from matches.services.by_itself import play_all_forced, play_by_hand
from matches.services.computer_moves import (
    call_waiting_computers,
    choose_move,
    claim_turn,
    play_against_computer,
    play_choice,
    take_waiting_seeks,
)
from matches.services.expiry import expire_due, expire_match
from matches.services.moves import PlayedMove, PlayedTurn, play_move, play_turn
from matches.services.new_matches import MatchTerms, Pairing, start_match, start_matches
from matches.services.offers import abort, accept_offer, decline_offer, make_offer
from matches.services.pauses import pause_match, pause_matches, resume_match, resume_matches
from matches.services.rematches import offer_rematch
from matches.services.resignation import resign
from matches.services.seeks import decline_seek, open_seek, take_by_link, take_seek, withdraw_seek
from matches.services.vacation_hours import give_days, take_vacation
