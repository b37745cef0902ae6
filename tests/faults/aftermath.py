"""``python -m tests.faults.aftermath``: everything that is not as it should be when all is quiet, as a JSON list."""

import json
from io import StringIO

import django


def find_faults() -> list[str]:
    """Return one sentence for each fault; none when nothing was lost, stuck or counted wrongly."""
    return [*_stuck(), *refuted("verify_matches"), *refuted("recompute", "--check")]


def refuted(*command: str) -> list[str]:
    """Return what one of the site's own verifying commands finds."""
    from django.core.management import CommandError, call_command

    output = StringIO()
    try:
        call_command(*command, stdout=output)
    except CommandError as error:
        return [*output.getvalue().splitlines(), f"{' '.join(command)}: {error}"]
    return []


def _stuck() -> list[str]:
    from django.utils import timezone

    from matches.models import Match, Status
    from matches.selectors.clocks import overdue_matches
    from tournaments.models import Competition, CompetitionStatus, Fixture

    now = timezone.now()
    playing = Match.objects.filter(status=Status.PLAYING)
    faults = [f"Match {match.pk} is overdue since {match.deadline}." for match in overdue_matches(now)]
    faults += [f"Match {match.pk} goes on, but nobody can act." for match in playing.filter(deadline=None)]
    faults += [f"Match {match.pk} goes on, but {match.side!r} is to act." for match in playing.filter(side="")]
    faults += [
        f"Match {fixture.match_id} of {fixture.competition} goes on after the competition's end."
        for fixture in Fixture.objects.filter(
            competition__status=CompetitionStatus.FINISHED, match__status=Status.PLAYING
        ).select_related("competition")
    ]
    unfinished = Competition.objects.exclude(status=CompetitionStatus.FINISHED)
    return faults + [
        f"{competition} has not come to its end: it is {competition.status}." for competition in unfinished
    ]


if __name__ == "__main__":
    django.setup()
    print(json.dumps(find_faults()))
