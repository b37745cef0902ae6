"""What a reader has to do with a competition: one query says what need not be read of them."""

from typing import Any, NamedTuple

from django.db.models import Exists, Model, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from database.compiled_queries import CompiledQuery
from matches.models import Match, Status
from matches.selectors.matches import number_to_move
from players.models import Player
from tournaments.models import Competition, Entry, EntryInvitation
from tournaments.models.rights import Role
from tournaments.office.selectors.invitations import STANDS, unanswered_invitations
from tournaments.office.selectors.organisers import COMPETITIONS


class OwnPart(NamedTuple):
    """What there is of a player in a competition.

    ``has_entry`` where they have entered, or lead a team that has; ``may_answer`` an invitation; one ``stands`` that
    was not withdrawn; ``plays`` matches that go on; ``organises`` and ``helps``. As on every page, how many
    matches wait ``to_move``, here and elsewhere.
    """

    has_entry: bool
    may_answer: bool
    stands: bool
    plays: bool
    organises: bool
    helps: bool
    to_move: int

    @property
    def runs(self) -> bool:
        """Return whether the player is one of those who run the competition."""
        return self.organises or self.helps


NOTHING = OwnPart._make([*[False] * 6, 0])
"""The part of visitors."""


def own_part_in(competition: Competition, player: Player | None) -> OwnPart:
    """Return what there is of the player in the competition. One query, none for a visitor."""
    if player is None:
        return NOTHING
    query = _ALONE if competition.boards is None else _WITH_TEAMS
    ((*there_is, to_move),) = query.rows(competition_id=competition.pk, player_id=player.pk)
    return OwnPart._make([*map(bool, there_is), to_move])


def _parts(competition_id: int, player_id: int, *, entered: Q) -> QuerySet[Player, tuple[Any, ...]]:
    of_player = {"competition": competition_id, "player": player_id}
    own = Player.objects.filter(pk=player_id).order_by()
    playing = Match.objects.filter(status=Status.PLAYING)
    # By the column itself PostgreSQL might go through all matches of the competition.
    playing = playing.alias(of=Coalesce("competition", 0)).filter(of=competition_id)
    found: list[QuerySet[Model]] = [
        Entry.objects.filter(entered, competition=competition_id),
        unanswered_invitations().filter(**of_player),
        EntryInvitation.objects.filter(STANDS, team=None, **of_player),
        playing.filter(Q(yellow=player_id) | Q(red=player_id)),
        *(Player.objects.filter(pk=player_id, **{COMPETITIONS[role]: competition_id}) for role in Role),
    ]
    parts = {name: Exists(rows) for name, rows in zip(OwnPart._fields, found, strict=False)}
    to_move = Coalesce(Subquery(number_to_move(player_id)), 0)
    return own.annotate(**parts, to_move=to_move).values_list(*parts, "to_move")


# Not prepared: those of a player's matches that go on are found by their own indexes.
_ALONE = CompiledQuery(
    lambda competition_id, player_id: _parts(competition_id, player_id, entered=Q(player=player_id)),
    is_prepared=False,
)
_WITH_TEAMS = CompiledQuery(
    lambda competition_id, player_id: _parts(competition_id, player_id, entered=Q(team__captain=player_id)),
    is_prepared=False,
)
