"""What organisers' acts can be done to in a competition."""

from typing import Any

from tournaments.models import (
    Competition,
    EntryInvitation,
    Fixture,
    LogEntry,
    ProposedRound,
    Round,
    WaitingPlayer,
)


def subjects_of(competition: Competition) -> dict[str, list[Any]]:
    """Return everything that acts of the table can be done to in a competition, by the names of its kinds."""
    own = {"competition": competition.pk}
    fixtures = Fixture.objects.filter(**own).select_related("yellow__player", "red__player", "match", "round", "tie")
    in_groups = {"group__stage__competition": competition.pk}
    lines = LogEntry.objects.filter(**own)
    found = {
        "entry": competition.entries.select_related("player", "team"),
        "fixture": fixtures,
        "round": Round.objects.filter(**in_groups).select_related("group__stage"),
        "proposed round": ProposedRound.objects.filter(**in_groups).select_related("group__stage"),
        "announcement": lines.filter(action="announced"),
        "line of the log": lines.exclude(reason=""),
        "waiting player": WaitingPlayer.objects.filter(**own).select_related("player"),
        "invitation": EntryInvitation.objects.filter(**own).select_related("player"),
    }
    return {"competition": [competition]} | {name: list(rows.order_by("pk")) for name, rows in found.items()}
