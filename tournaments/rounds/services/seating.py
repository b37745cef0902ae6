"""Store competitions with their stages and first group."""

from collections.abc import Sequence

from django.db import transaction

from formats.options import write_options
from formats.team_meetings import usual_order
from tournaments.models import Competition, Group, Stage
from tournaments.rounds.services.stage_checks import check_stages


def store_competition(*, competition: Competition, stage: Stage, later: Sequence[Stage] = ()) -> None:
    """Store a new competition with its first stage, the group of it, and the ``later`` stages.

    What a stage does not say of its options and of its table's order is as its format has it. Raises
    ``InvalidOptions`` and ``InvalidStages``.
    """
    stages = [stage, *later]
    for each in stages:
        fill_in(each, of_teams=competition.boards is not None)
    check_stages(stages, max_entrants=competition.max_entrants, boards=competition.boards)
    with transaction.atomic():
        competition.save(force_insert=True)
        for number, each in enumerate(stages, start=1):
            each.competition, each.number = competition, number
            each.save(force_insert=True)
        Group.objects.create(stage=stage)


def fill_in(stage: Stage, *, of_teams: bool) -> None:
    """Write out what a stage leaves to its format. Raises ``InvalidOptions`` for what it says otherwise."""
    stage.options = write_options(stage.chosen_options)
    stage.tiebreaks = stage.tiebreaks or list(usual_order(stage.format_spec, of_teams=of_teams))
    if stage.grouping_options is not None:
        stage.grouping = write_options(stage.grouping_options)
    if stage.advance_rule is not None:
        stage.advance = write_options(stage.advance_rule)


def add_level(*, stage: Stage) -> Stage:
    """Store and return the level above one, which is played like it."""
    return Stage.objects.create(
        competition=stage.competition,
        number=stage.number + 1,
        format=stage.format,
        options=stage.options,
        tiebreaks=stage.tiebreaks,
        seeding=stage.seeding,
        draw_seed=stage.draw_seed,
        round_days=stage.round_days,
        at_round_end=stage.at_round_end,
        grouping=stage.grouping,
        advance=stage.advance,
    )
