"""The consequences of deleting an account for matches, competitions and teams, to be read before."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from matches.models import Match, Status
from matches.selectors.matches import find_matches
from matches.services.account_closures import seeks_to_end
from players.models import Player
from players.services.account_closures import foresees_deletions
from tournaments.entries.services.account_closures import entries_to_withdraw
from tournaments.models import ENDED, NOT_STARTED, CompetitionKind, CompetitionStatus, Entry, WaitingPlayer
from tournaments.models.rights import Role
from tournaments.office.selectors.organisers import COMPETITIONS
from tournaments.tables.selectors.titles import list_titles
from tournaments.teams.selectors.teams import teams_of

MAX_NAMED = 5
"""The most of a kind that are named; of more it is said how many there are."""

Kind = tuple[Promise, QuerySet[Any], Callable[[Any], str]]
"""The sentence about so many of a kind, all of them, and what one is called."""


@foresees_deletions
def foresee_deletion(player: Player) -> Iterator[str]:
    """Yield a sentence for each kind of thing that ends or gets another name with the account, with the first few.

    What there is none of has no sentence. At most two queries for each kind.
    """
    for sentence, rows, name_of in _kinds(player):
        number = rows.count()
        names = [name_of(row) for row in rows[:MAX_NAMED]] if number else []
        if number > MAX_NAMED:
            names.append(_("%d more") % (number - MAX_NAMED))
        if number:
            yield f"{sentence % number}: {', '.join(names)}."


def _kinds(player: Player) -> Iterator[Kind]:
    running = find_matches(player=player, status=Status.PLAYING)
    # Nobody is told of a draft before it opens.
    entered = entries_to_withdraw(Q(player=player, team=None)).exclude(competition__status=CompetitionStatus.DRAFT)
    entered = entered.select_related("competition").order_by("-competition")
    waiting = WaitingPlayer.objects.filter(player=player, removed_at=None, competition__status__in=NOT_STARTED)
    roles = {role: getattr(player, COMPETITIONS[role]).exclude(status__in=ENDED).order_by("-pk") for role in Role}
    yield (
        ngettext_lazy("%d running match is resigned", "%d running matches are resigned"),
        running.filter(competition=None),
        _name_match,
    )
    yield (
        ngettext_lazy("%d running match of a competition is lost", "%d running matches of competitions are lost"),
        running.filter(competition__isnull=False),
        _name_match,
    )
    yield (
        ngettext_lazy(
            "%d cup is left, and every match still to be played there is lost",
            "%d cups are left, and every match still to be played there is lost",
        ),
        entered.exclude(competition__kind=CompetitionKind.LADDER),
        _name_competition,
    )
    yield (
        ngettext_lazy("%d ladder is left", "%d ladders are left"),
        entered.filter(competition__kind=CompetitionKind.LADDER),
        _name_competition,
    )
    yield (
        ngettext_lazy(
            "%d team is left, and closed if nobody else is in it",
            "%d teams are left, and closed if nobody else is in them",
        ),
        teams_of(player),
        lambda membership: str(membership.team),
    )
    yield (
        ngettext_lazy("%d waiting list is left", "%d waiting lists are left"),
        waiting.select_related("competition").order_by("-pk"),
        _name_competition,
    )
    yield (
        ngettext_lazy("%d competition loses this organiser", "%d competitions lose this organiser"),
        roles[Role.ORGANISER],
        str,
    )
    yield (
        ngettext_lazy("%d competition loses this helper", "%d competitions lose this helper"),
        roles[Role.HELPER],
        str,
    )
    yield (
        ngettext_lazy(
            "%d open game, invitation or offer of a rematch ends",
            "%d open games, invitations and offers of rematches end",
        ),
        seeks_to_end(player=player).select_related("creator", "invited"),
        lambda seek: str(seek.creator if seek.invited is None else f"{seek.creator} – {seek.invited}"),
    )
    yield (
        ngettext_lazy("%d dispute of a result is withdrawn", "%d disputes of results are withdrawn"),
        player.disputes.select_related("fixture__competition").order_by("-pk"),
        lambda dispute: str(dispute.fixture.competition),
    )
    yield (
        ngettext_lazy("%d title stays, under the new name", "%d titles stay, under the new name"),
        list_titles(player=player),
        _name_competition,
    )
    yield (
        ngettext_lazy("%d finished match stays, under the new name", "%d finished matches stay, under the new name"),
        find_matches(player=player, status=Status.FINISHED),
        _name_match,
    )


def _name_match(match: Match) -> str:
    return _("%(players)s (match %(number)d)") % {"players": match, "number": match.pk}


def _name_competition(row: Entry | WaitingPlayer) -> str:
    return str(row.competition)
