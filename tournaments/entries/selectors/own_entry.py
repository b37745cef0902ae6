"""Find a player's entry in a competition."""

from players.models import Player
from tournaments.entries.selectors.byes import SEATS_WITH_BYES
from tournaments.models import Competition, Entry
from tournaments.records.competitions import THOSE_IN_IT_FIRST
from tournaments.records.groups import SEATS


def find_entry(competition: Competition, player: Player | None) -> Entry | None:
    """Return the player's entry in the competition with its row in the table, also after the player has left.

    Where teams play it is that of the team whose captain the player is.
    """
    if player is None:
        return None
    seats = SEATS_WITH_BYES if competition.first_stage.abilities.byes_on_request else SEATS
    entries = Entry.objects.filter(competition_id=competition.pk)
    own = entries.filter(player=player) if competition.boards is None else entries.filter(team__captain=player)
    entry = own.select_related("team").prefetch_related(seats).order_by(*THOSE_IN_IT_FIRST).first()
    if entry is not None:
        entry.competition = competition
    return entry
