"""The preview of a competition that is being made: how it is played, how much it comes to, what may be a mistake."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from formats.advancement import NEXT_MONTH
from formats.challenge_ladder import ChallengeLadderOptions
from formats.stage_plans import ImpossibleStage, StagePlan, outline_stage, plan_levels, plan_stages
from matches.clock import DAY, TimeControl
from matches.sentences import format_duration
from players.models import Player
from tournaments.making.services.drafts import check_draft
from tournaments.models import ENDED, Competition, CompetitionStatus, RoundEnd, Stage
from tournaments.office.sentences import list_facts, list_sizes

EXAMPLES = (8, 16)
"""The numbers of players that are tried where any number can enter."""

MONTH = timedelta(days=31)
"""The longest month."""


@dataclass(frozen=True, slots=True)
class Size:
    """The extent of a competition with so many players: a sentence for each stage, and how long it may take.

    ``length`` is ``None`` where nobody can tell.
    """

    entrants: int
    stages: Sequence[str]
    length: timedelta | None

    @property
    def length_text(self) -> str:
        """Return the length in words, a day or more in whole days."""
        if self.length is None:
            return ""
        return format_duration(-(-self.length // DAY) * DAY if self.length > DAY else self.length)


@dataclass(frozen=True, slots=True)
class Preview:
    """The outlook of a competition. ``facts`` and ``warnings`` are sentences; a ladder has no ``sizes``."""

    facts: Sequence[str]
    sizes: Sequence[Size]
    warnings: Sequence[str]


def preview_draft(
    *, competition: Competition, stages: Sequence[Stage], written: Collection[str], maker: Player, now: datetime
) -> Preview:
    """Return what a competition would be if it were made so, or edited so. Raises as ``check_draft``."""
    check_draft(competition=competition, stages=stages, now=now, written=written)
    return Preview(
        list_facts(competition, stages),
        [] if stages[0].is_endless else _sizes_of(competition, stages),
        [*_warn_of_rounds(competition, stages), *_warn_of_rest(competition, stages, maker, now)],
    )


def _sizes_of(competition: Competition, stages: Sequence[Stage]) -> list[Size]:
    tried = EXAMPLES if competition.max_entrants is None else (competition.max_entrants,)
    sizes = ((entrants, list_sizes(stages, entrants, boards=competition.boards)) for entrants in tried)
    return [Size(number, texts, _length_of(competition, stages, number)) for number, texts in sizes if texts]


def _length_of(competition: Competition, stages: Sequence[Stage], entrants: int) -> timedelta | None:
    """Return how long all rounds take if everybody uses up the time to start with, none for what turns add.

    A round with a number of days takes these, unless it waits for its matches. All levels of a stage count.
    """
    try:
        plans = plan_stages(stages, entrants)
    except ImpossibleStage:
        return None
    parts = [(stage, level) for stage, plan in zip(stages, plans, strict=True) for level in plan_levels(stage, plan)]
    length = timedelta(0)
    for number, (stage, plan) in enumerate(parts, start=1):
        waits = number < len(parts) and (stage.advance or {}).get("begins") == NEXT_MONTH
        length += max(_length_of_part(competition, stage, plan), MONTH if waits else timedelta(0))
    return length


def _length_of_part(competition: Competition, stage: Stage, plan: StagePlan) -> timedelta:
    rounds = 1 if stage.is_played_at_once else outline_stage(stage, plan).rounds or 0
    return rounds * _length_of_round(competition, stage)


def _length_of_round(competition: Competition, stage: Stage) -> timedelta:
    longest = _longest_start(competition.time_control)
    # A round that waits for its matches ends with the last of them, which live ones never keep for a day.
    if stage.round_days is None or (stage.at_round_end == RoundEnd.WAIT and longest < DAY):
        return longest
    return max(_days_of(stage), longest) if stage.at_round_end == RoundEnd.WAIT else _days_of(stage)


def _days_of(stage: Stage) -> timedelta:
    return timedelta(days=stage.round_days or 0)


def _longest_start(control: TimeControl) -> timedelta:
    """Return how long a match takes in which both sides use up what they start with."""
    return 2 * control.bank


def _warn_of_rounds(competition: Competition, stages: Sequence[Stage]) -> list[str]:
    needed = _longest_start(competition.time_control)
    # A round that waits for its matches cuts none short.
    cut = [stage for stage in stages if stage.round_days is not None and stage.at_round_end != RoundEnd.WAIT]
    short = [stage for stage in cut if _days_of(stage) < needed]
    return [
        _(
            "A round of %(round)s is shorter than the clock allows: both players together can think for %(clock)s "
            "before any turn adds time."
        )
        % {"round": format_duration(_days_of(stage)), "clock": format_duration(needed)}
        if len(stages) == 1
        else _(
            "Stage %(number)d: a round of %(round)s is shorter than the clock allows: both players together can think "
            "for %(clock)s before any turn adds time."
        )
        % {"number": stage.number, "round": format_duration(_days_of(stage)), "clock": format_duration(needed)}
        for stage in short
    ]


def _warn_of_rest(competition: Competition, stages: Sequence[Stage], maker: Player, now: datetime) -> list[str]:
    warnings = []
    if competition.starts_at is not None and competition.starts_at <= now:
        warnings.append(_("The start is in the past: it would start as soon as enough players have joined."))
    if _has_namesake(competition, maker):
        warnings.append(_("There is already a competition with this name."))
    options = stages[0].chosen_options
    if isinstance(options, ChallengeLadderOptions) and not (options.max_outgoing and options.max_incoming):
        warnings.append(
            _("Nobody could challenge anybody. Allow at least one game as challenger and one as the challenged player.")
        )
    return warnings


def _has_namesake(competition: Competition, maker: Player) -> bool:
    """Return whether a competition that the maker can see, and that has not ended, is called the same."""
    same = Competition.objects.filter(name__iexact=competition.name.strip()).exclude(status__in=ENDED)
    visible = same.filter(hidden_at=None).exclude(status=CompetitionStatus.DRAFT) | same.filter(organisers=maker)
    return visible.exclude(pk=competition.pk).exists()
