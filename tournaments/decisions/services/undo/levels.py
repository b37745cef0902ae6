"""Take back groups in which somebody plays who has not come to their level. Callers hold the competition's lock.

A group that was formed stands as long as all of its players have their places. Of one that does not, the others wait
again, in the order in which they came.
"""

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import annul
from tournaments.decisions.services.undo.rounds import let_group_go_on
from tournaments.models import Competition, Fixture, Group, PlaceChange, Round, Seat, Stage, Standing
from tournaments.records.groups import first_group_id
from tournaments.records.levels import arrivals_from, places_at
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.set_aside import put_away


def take_back_places(*, competition: Competition, changes: Changes, now: datetime) -> None:
    """Take back places of players who do not go on to a level by the results as they are now, and their groups.

    The matches of these groups count nowhere; their fixtures stay, outside of rounds. A player who goes on now, and
    did not before, comes to the level as soon as the competition is moved on.
    """
    for stage in list(competition.stages.order_by("number")):
        stage.competition = competition
        following = competition.stages.filter(number=stage.number + 1).first()
        stored = [] if following is None else places_at(following)
        arrivals = arrivals_from(stage)
        if set(stored) != set(arrivals):
            if following is not None:
                _take_back(competition, following, set(stored) - set(arrivals), changes, now)
            # They end again at once, and then those take their places who go on.
            for group in Group.objects.filter(stage=stage, ended_at__isnull=False).select_related("stage"):
                let_group_go_on(competition=competition, group=group)
    _forget_levels(competition)


def forget_groups(*, competition: Competition) -> None:
    """Let nobody be in a group of a competition whose start is taken back: each has one seat at the first level."""
    home = Group.objects.get(pk=first_group_id(competition_id=competition.pk))
    seats = Seat.objects.filter(stage__competition=competition.pk)
    first_of = dict(seats.filter(stage=home.stage_id).order_by("-pk").values_list("entry", "pk"))
    seats.exclude(pk__in=first_of.values()).delete()
    seats.update(group=home, seed=None)
    Round.objects.filter(group__stage__competition=competition.pk).delete()
    Group.objects.filter(stage=home.stage_id).exclude(pk=home.pk).delete()
    Group.objects.filter(pk=home.pk).update(pairing_due_since=None)
    Stage.objects.filter(competition=competition, number__gt=1).delete()


def _take_back(
    competition: Competition, stage: Stage, leaving: Collection[int], changes: Changes, now: datetime
) -> None:
    """Take back the places of those who are leaving a level, and all groups in which one of them plays."""
    gone = Seat.objects.filter(stage=stage, entry__in=leaving)
    keys = set(gone.exclude(group=None).values_list("group", flat=True)) | _groups_not_begun(competition, stage)
    groups = Group.objects.filter(pk__in=keys)
    counting = Fixture.objects.filter(group__in=groups, is_annulled=False).select_related(*RELATED).order_by("pk")
    annulled = annul(competition=competition, fixtures=list(counting), now=now)
    changes.lost += annulled.lost
    changes.withdrawn += annulled.withdrawn
    put_away(competition=competition, fixtures=Fixture.objects.filter(group__in=groups), now=now)
    Round.objects.filter(group__in=groups).delete()
    seats = Seat.objects.filter(group__in=groups)
    Standing.objects.filter(seat__in=seats).delete()
    PlaceChange.objects.filter(seat__in=seats).delete()
    for group in groups.filter(seats__in=gone).distinct().order_by("number"):
        changes.more.append(
            _("Group %(letter)s of level %(number)d is taken back: its other players wait again.")
            % {"letter": group.letter, "number": stage.number}
        )
    gone.delete()
    seats.update(group=None, seed=None)
    groups.delete()


def _groups_not_begun(competition: Competition, stage: Stage) -> set[int]:
    """Return the ids of the groups of a level in which nobody has moved: who waited first forms them again."""
    groups = Group.objects.filter(stage=stage).values_list("pk", flat=True)
    played = played_fixtures(competition_id=competition.pk).filter(group__stage=stage)
    return set(groups) - set(played.values_list("group", flat=True))


def _forget_levels(competition: Competition) -> None:
    """Delete the highest levels to which nobody has come."""
    for stage in competition.stages.filter(number__gt=1).order_by("-number"):
        if stage.seats.exists():
            return
        stage.delete()
