"""The end of a cup: its winner, and everybody's place."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max

from tournaments.formats.protocol import Flow
from tournaments.models import CompetitionStatus, Cup, Entry, Round
from tournaments.selectors.brackets import final_places_of
from tournaments.selectors.groups import first_group_id
from tournaments.selectors.standings import find_first
from tournaments.services.cups.final_places import place_entrants
from tournaments.services.log import log_action
from tournaments.services.standings import recompute_standings


def finish_cup(*, cup: Cup, now: datetime) -> None:
    """Finish a running cup whose rounds have all ended, with the last of them.

    The caller holds the competition's lock.
    """
    rounds = Round.objects.filter(group__stage__competition_id=cup.pk)
    last = rounds.aggregate(last=Max("ended_at"))["last"]
    cup.status, cup.finished_at, cup.paused_at = CompetitionStatus.FINISHED, last or now, None
    cup.save(update_fields=["status", "finished_at", "paused_at"])
    if cup.first_stage.format_spec.flow is Flow.TIES:
        place_entrants(cup=cup)
        cup.winner = winner_of_final(cup=cup)
        cup.save(update_fields=["winner"])
    else:
        recompute_standings(competition_id=cup.pk, now=now)
        cup.winner = find_first(group_id=first_group_id(competition_id=cup.pk))
    log_action(competition=cup, action="finished", subject=str(cup.winner or ""), now=now)


def winner_of_final(*, cup: Cup) -> Entry | None:
    """Return who has the first place of a drawn bracket, nobody while it is not known."""
    first = [entry for entry, place in final_places_of(cup).items() if place == 1]
    return Entry.objects.select_related("player").get(pk=first[0]) if first else None
