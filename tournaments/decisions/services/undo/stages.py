"""Take back stages that others should play than those who do. Callers hold the competition's lock."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from django.utils.translation import gettext as _

from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.groups import let_group_go_on
from tournaments.decisions.services.undo.results import annul
from tournaments.models import Competition, Fixture, Group, Round, Seat, Stage
from tournaments.records.qualifiers import players_of, qualifiers_of


def take_back_stages(*, competition: Competition, changes: Changes, now: datetime) -> None:
    """Take back the first later stage whose players are not those who go on to it now, and all stages after it.

    It is formed and drawn anew as soon as the stage before has ended. Its matches count nowhere; their fixtures stay,
    outside of rounds.
    """
    stages = list(competition.stages.order_by("number"))
    for before, after in pairwise(stages):
        before.competition = after.competition = competition
        players = players_of(after)
        if players and players != qualifiers_of(before, draw_seed=after.draw_seed or 0):
            _take_back(competition, after, changes, now)
            # They end again at once if nothing is open in them, and then who goes on is drawn.
            for group in Group.objects.filter(stage=before, ended_at__isnull=False).select_related("stage"):
                let_group_go_on(competition=competition, group=group)
            return


def _take_back(competition: Competition, first: Stage, changes: Changes, now: datetime) -> None:
    groups = Group.objects.filter(stage__competition=competition.pk, stage__number__gte=first.number)
    counting = Fixture.objects.filter(group__in=groups, is_annulled=False).select_related(*RELATED).order_by("pk")
    annulled = annul(competition=competition, fixtures=list(counting), now=now)
    changes.lost += annulled.lost
    changes.withdrawn += annulled.withdrawn
    home = Group.objects.filter(stage__competition=competition.pk).order_by("stage__number", "number")[:1].get()
    fixtures = Fixture.objects.filter(group__in=groups)
    fixtures.filter(match=None).delete()
    fixtures.update(group=home, annulment="", replay=None, round=None, tie=None)
    Round.objects.filter(group__in=groups).delete()
    Seat.objects.filter(stage__competition=competition.pk, stage__number__gte=first.number).delete()
    groups.delete()
    if first.max_levels is not None:
        Stage.objects.filter(competition=competition, number__gte=first.number).delete()
    changes.more.append(_("Stage %(number)d is taken back. It is drawn anew.") % {"number": first.number})
