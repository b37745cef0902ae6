"""Conditions for entering a competition: who may, and why others may not."""

from django.db.models import Exists, FilteredRelation, OuterRef, Q
from django.utils.translation import gettext as _

from players.models import Player, Rating
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryInvitation,
    EntryStatus,
    InvitationStatus,
    Seat,
    Team,
)
from tournaments.models.elo import START
from tournaments.models.errors import EntryRefused
from tournaments.office.selectors.invitations import STANDS
from tournaments.records.coming_rounds import groups_to_join, has_last_level_begun
from tournaments.records.competitions import IN_COMPETITION
from tournaments.records.groups import is_drawn
from tournaments.running.errors import (
    AlreadyEntered,
    CompetitionFull,
    ComputersNotAdmitted,
    Disqualified,
    EntrantClosed,
    EntryClosed,
    GuestsNotAdmitted,
    LastRoundDrawn,
    NotInvited,
    RatingOutOfLimits,
    SinglePlayersOnly,
    TeamsOnly,
)

OWN_ENTRY = "own_entry"


def reasons_not_to_enter(*, competition: Competition, player: Player) -> list[EntryRefused]:
    """Return every reason why the player may not enter the competition, except its password; empty if none.

    An invitation lets a player in past limits of ratings, and while entry is closed.

    Each has a stable ``code`` and a sentence, its ``reason``.
    """
    return _reasons(competition, player, *_entry_or_invitation(competition, player))


def reasons_without_entry(*, competition: Competition, player: Player, was_invited: bool) -> list[EntryRefused]:
    """Return the same for a player who has never entered, and was invited or not, without reading that."""
    return _reasons(competition, player, None, was_invited)


def _reasons(
    competition: Competition,
    player: Player,
    entry: Entry | None,
    was_invited: bool,
) -> list[EntryRefused]:
    is_invited = entry is None and was_invited
    is_stranger = entry is None and not was_invited
    return [
        *_reasons_of_entry(competition, entry),
        *_reasons_of_disqualification(entry),
        *_reasons_of_status(competition, is_invited=is_invited),
        *reasons_of_kind(competition=competition, player=player),
        *(
            [NotInvited(_("Only invited players can join this competition."))]
            if competition.by_invitation and is_stranger
            else []
        ),
        *_reasons_of_number(competition, entry, Q(player=player)),
        *([] if is_invited else _reasons_of_rating(competition, player)),
    ]


def reasons_not_to_enter_team(*, competition: Competition, team: Team, captain: Player) -> list[EntryRefused]:
    """Return every reason why a captain may not enter a team, except the competition's password; empty if none.

    An invitation lets a team in while entry is closed. Limits of ratings are for single players.
    """
    if competition.boards is None:
        return [SinglePlayersOnly(_("Only single players can join this competition, not teams."))]
    entered = Entry.objects.filter(competition=competition.pk, team=team).first()
    own = Entry.objects.filter(Q(player=captain) | Q(team__captain=captain), competition=competition.pk).first()
    reasons: list[EntryRefused] = []
    if entered is not None:
        reasons.append(
            AlreadyEntered(
                _("%(team)s has already joined.") % {"team": team}
                if entered.is_in
                else _("%(team)s has left.") % {"team": team}
            )
        )
    elif own is not None:
        reasons.append(AlreadyEntered(_("%(captain)s has already entered a team here.") % {"captain": captain}))
    is_invited = find_team_invitation(competition=competition, team=team) is not None
    reasons += _reasons_of_status(competition, is_invited=is_invited)
    if competition.by_invitation and not is_invited:
        reasons.append(NotInvited(_("Only invited teams can join this competition.")))
    return [*reasons, *_reasons_of_number(competition, None, Q(team=team))]


def reasons_of_kind(*, competition: Competition, player: Player) -> list[EntryRefused]:
    """Return the reasons that lie in what kind of player somebody is: none enters by themselves where teams do."""
    if competition.boards is not None:
        return [TeamsOnly(_("Only teams can join this competition. Their captains enter them."))]
    if not player.is_active:
        return [EntrantClosed(_("The account %(player)s is closed.") % {"player": player})]
    if player.is_guest and competition.is_rated:
        return [GuestsNotAdmitted(_("This competition is rated. Sign up to join."))]
    if player.is_computer and not competition.admits_computers:
        return [ComputersNotAdmitted(_("This competition is only for people."))]
    return []


def reasons_of_rounds(competition: Competition) -> list[EntryRefused]:
    """Return why who enters a cup while it runs would not play; a round that has been drawn stands."""
    stage = competition.first_stage
    if competition.status != CompetitionStatus.RUNNING or competition.is_endless:
        return []
    if stage.gathers:
        return [EntryClosed(_("The last level has begun. Nobody can join any more."))] * has_last_level_begun(
            competition
        )
    if groups_to_join(competition):
        return []
    if stage.abilities.pairs_by_results:
        return [LastRoundDrawn(_("The last round has been drawn, so it is too late to join."))]
    return [EntryClosed(_("The first stage is over. Nobody can join any more."))]


def can_return(entry: Entry, competition: Competition) -> bool:
    """Return whether somebody who was in the competition may enter it again, as ladders allow at any time."""
    return entry.status in {EntryStatus.ON_HOLD, EntryStatus.GONE} and competition.is_endless


def can_enter_again(entry: Entry, competition: Competition) -> bool:
    """Return whether somebody who plays may take another place at the first level. One query at most."""
    if entry.status != EntryStatus.ACTIVE or competition.status != CompetitionStatus.RUNNING:
        return False
    return competition.first_stage.gathers and not _waits_at_first_level(entry, competition)


def takes_late_entries(competition: Competition) -> bool:
    """Return whether players may enter the competition while it runs: a ladder always, a cup if it allows it."""
    return competition.first_stage.takes_late_entries


def can_take_late_entries(competition: Competition) -> bool:
    """Return whether organisers may enter players while the competition runs: where it is possible, wanted or not."""
    return competition.first_stage.allows_late_entry


def find_invitation(*, competition: Competition, player: Player | None) -> EntryInvitation | None:
    """Return the invitation of the player to the competition if they have been asked and it was not withdrawn."""
    if player is None:
        return None
    asked = EntryInvitation.objects.filter(STANDS, competition_id=competition.pk, player=player, team=None)
    return asked.select_related("invited_by").first()


def find_team_invitation(*, competition: Competition, team: Team) -> EntryInvitation | None:
    """Return the invitation of the team to the competition if a captain was asked and it was not withdrawn."""
    asked = EntryInvitation.objects.filter(STANDS, competition_id=competition.pk, team=team)
    return asked.select_related("invited_by").first()


def count_entrants(competition: Competition) -> int:
    """Return how many are in the competition, counted anew: what was read with it may be older."""
    return Entry.objects.filter(competition_id=competition.pk, status__in=IN_COMPETITION).count()


def count_taken_places(competition: Competition, *, own: Q | None = None) -> int:
    """Return how many are in the competition, or were asked again and have their places kept until the start.

    An ``own`` invitation keeps nobody's place. One query.
    """
    entered = Entry.objects.filter(competition_id=competition.pk, status__in=IN_COMPETITION)
    if competition.status not in NOT_STARTED:
        return entered.count()
    waiting = EntryInvitation.objects.filter(
        competition=competition.pk, status=InvitationStatus.WAITING, kept__has_key="entry"
    )
    kept = waiting.exclude(own) if own is not None else waiting
    return entered.order_by().values("pk").union(kept.order_by().values("pk"), all=True).count()


def _entry_or_invitation(competition: Competition, player: Player) -> tuple[Entry | None, bool]:
    """Return the player's entry, and whether they have been invited and the invitation was not withdrawn. One query."""
    others = [status for status in EntryStatus if status != EntryStatus.REPLACED]
    of_competition = Q(entries__competition=competition.pk, entries__status__in=others)
    own = {OWN_ENTRY: FilteredRelation("entries", condition=of_competition)}
    asked = EntryInvitation.objects.filter(STANDS, competition=competition.pk, player=OuterRef("pk"), team=None)
    with_entry = Player.objects.annotate(**own, was_invited=Exists(asked)).select_related(OWN_ENTRY)
    found = vars(with_entry.get(pk=player.pk))
    return found.get(OWN_ENTRY), found["was_invited"]


def _reasons_of_entry(competition: Competition, entry: Entry | None) -> list[EntryRefused]:
    if entry is None or can_return(entry, competition) or can_enter_again(entry, competition):
        return []
    if entry.status == EntryStatus.ACTIVE:
        return [AlreadyEntered(_("You have already joined."))]
    return [AlreadyEntered(_("You left this competition and cannot join it again."))]


def _reasons_of_disqualification(entry: Entry | None) -> list[EntryRefused]:
    """Return why who was disqualified cannot come back alone; who was invited since can. One query for the former."""
    if entry is None or entry.disqualified_at is None or entry.status != EntryStatus.GONE:
        return []
    asked = EntryInvitation.objects.filter(
        STANDS, competition=entry.competition_id, player=entry.player_id, created_at__gt=entry.disqualified_at
    )
    if asked.exists():
        return []
    return [Disqualified(_("You were disqualified. Only an organiser can let you in again."))]


def _reasons_of_status(competition: Competition, *, is_invited: bool) -> list[EntryRefused]:
    """Return the reasons that lie in the status. Invited players enter when an organiser could enter them."""
    if competition.status == CompetitionStatus.OPEN:
        return []
    if is_invited and competition.status == CompetitionStatus.CLOSED:
        if is_drawn(competition=competition):
            return [EntryClosed(_("The cup has been drawn. Nobody can join any more."))]
        return []
    if competition.status == CompetitionStatus.RUNNING:
        if takes_late_entries(competition) or (is_invited and can_take_late_entries(competition)):
            return reasons_of_rounds(competition)
        return [EntryClosed(_("The cup has started. Nobody can join any more."))]
    if competition.status in ENDED:
        return [EntryClosed(_("The competition is over."))]
    return [EntryClosed(_("The competition is not open for entry."))]


def _reasons_of_number(competition: Competition, entry: Entry | None, own: Q) -> list[EntryRefused]:
    keeps_his_place = entry is not None and entry.is_in
    if competition.max_entrants is None or keeps_his_place:
        return []
    if count_taken_places(competition, own=own) < competition.max_entrants:
        return []
    return [CompetitionFull(_("All %(number)d places are taken.") % {"number": competition.max_entrants})]


def _reasons_of_rating(competition: Competition, player: Player) -> list[EntryRefused]:
    if competition.min_rating is None and competition.max_rating is None:
        return []
    rating = (
        Rating.objects.filter(player=player, family=competition.rules.family).values_list("rating", flat=True).first()
    )
    rating = START if rating is None else rating
    if competition.min_rating is not None and rating < competition.min_rating:
        return [
            RatingOutOfLimits(
                _("This competition is for players rated %(limit)d or more. Your rating is %(rating).0f.")
                % {"limit": competition.min_rating, "rating": rating}
            )
        ]
    if competition.max_rating is not None and rating > competition.max_rating:
        return [
            RatingOutOfLimits(
                _("This competition is for players rated %(limit)d or less. Your rating is %(rating).0f.")
                % {"limit": competition.max_rating, "rating": rating}
            )
        ]
    return []


def _waits_at_first_level(entry: Entry, competition: Competition) -> bool:
    """Return whether an entrant has a place at the first level for which no group has formed yet.

    One query, none if the seats were prefetched with their stages.
    """
    if "seats" in getattr(entry, "_prefetched_objects_cache", {}):
        return any(seat.group_id is None and seat.stage.number == 1 for seat in entry.seats.all())
    return Seat.objects.filter(entry=entry, group=None, stage__competition=competition.pk, stage__number=1).exists()
