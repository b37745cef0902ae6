"""A player's own entry in a competition that is named."""

from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Entry
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import may_see
from tournaments.records.competitions import THOSE_IN_IT_FIRST, entered_or_led_by
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound
from tournaments.records.groups import SEATS


def find_own_entry(*, slug: str, player: Player, kind: CompetitionKind | None = None, team: str = "") -> Entry:
    """Return the player's entry in a competition, of that kind if one is given, whether it is hidden or not.

    Captains have that of their team; of several teams that with this slug, or else of one that plays on.

    Raises ``CompetitionNotFound`` for what there is not, a draft, or what is hidden from who is not in it, or
    ``EntryNotFound``.
    """
    kinds = [kind] if kind is not None else list(CompetitionKind)
    competition = Competition.objects.filter(slug=slug, kind__in=kinds).first()
    if competition is None:
        raise CompetitionNotFound(NO_COMPETITION)
    own = Q(team__captain=player, team__slug=team) if team else Q(pk__in=entered_or_led_by(player))
    entry = (
        Entry.objects.filter(own, competition=competition)
        .exclude(competition__status=CompetitionStatus.DRAFT)
        .select_related("competition")
        .prefetch_related(SEATS)
        .order_by(*THOSE_IN_IT_FIRST)
        .first()
    )
    if entry is not None:
        return entry
    if not may_see(competition=competition, player=player):
        raise CompetitionNotFound(NO_COMPETITION)
    if team:
        raise EntryNotFound(_("You are not the captain of such a team in this competition."))
    raise EntryNotFound(_("You have not joined this competition."))
