"""Stock recipes: what organisers start from, what is simulated and shown in the demo. A recipe is data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from formats.advancement import BY_DRAW, CROSSED, MAX_LEVELS, NEXT_MONTH
from formats.play_offs import MAX_SIZE
from formats.protocol import Flow, Format
from formats.registry import FORMATS, get_format
from formats.team_meetings import TEAM_ORDER
from tournaments.models import CompetitionKind, Seeding, Stage

POINTS_LADDER = "points-ladder"
CHALLENGE_LADDER = "challenge-ladder"
KNOCK_OUT = "knock-out"
DOUBLE_ELIMINATION = "double-elimination"
ROUND_ROBIN = "round-robin"
SWISS = "swiss"
GROUPS_THEN_KNOCK_OUT = "groups-then-knock-out"
CHAMPIONSHIP = "championship"
MINI_CUP = "mini-cup"
MONTHLY_CUP = "monthly-cup"
TEAM_LEAGUE = "team-league"
TEAM_CUP = "team-cup"


@dataclass(frozen=True, slots=True)
class StageRecipe:
    """The way in which a stage is played; what it does not name is as its format has it.

    ``grouping`` is what ``GroupingOptions`` reads, ``None`` for one group, and ``advance`` what ``AdvanceRule`` reads,
    ``None`` for the last stage.
    """

    format: str
    options: Mapping[str, Any] = field(default_factory=dict)
    tiebreaks: tuple[str, ...] = ()
    seeding: Seeding = Seeding.RATING
    grouping: Mapping[str, Any] | None = None
    advance: Mapping[str, Any] | None = None
    late_entry: bool = False
    round_days: int | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """The way in which a competition is played, stage by stage; ``label`` and ``summary`` are English, for organisers.

    With ``boards`` it is one of teams.
    """

    name: str
    label: str
    summary: str
    kind: CompetitionKind
    stages: tuple[StageRecipe, ...]
    boards: int | None = None

    @property
    def fits_an_evening(self) -> bool:
        """Return whether it can be over in hours: a cup that waits for no month, no season, no line-ups, no players."""
        waits = any(
            stage.seeding == Seeding.SEASON
            or "whenever" in (stage.grouping or {})
            or (stage.advance or {}).get("begins") == NEXT_MONTH
            for stage in self.stages
        )
        return self.kind == CompetitionKind.CUP and self.boards is None and not waits


def make_stages(recipe: Recipe) -> list[Stage]:
    """Return new stages of a recipe, the first first; none is stored."""
    return [
        Stage(
            number=number,
            format=stage.format,
            options=dict(stage.options),
            tiebreaks=list(stage.tiebreaks),
            seeding=stage.seeding,
            grouping=None if stage.grouping is None else dict(stage.grouping),
            advance=None if stage.advance is None else dict(stage.advance),
            late_entry=stage.late_entry,
            round_days=stage.round_days,
        )
        for number, stage in enumerate(recipe.stages, start=1)
    ]


def complete_play_offs(stages: Sequence[Stage]) -> list[Stage]:
    """Return stages with the play-offs of their leagues behind these, as a knock-out, or without any."""
    leagues, *later = stages
    if not leagues.has_leagues:
        return list(stages)
    if leagues.play_offs is None:
        return [leagues, *(stage for stage in later if not stage.is_play_offs)]
    leagues.advance = {"first": 0} | (leagues.advance or {})
    return [leagues, *(later or [Stage(number=2, format=KNOCK_OUT, grouping={"size": MAX_SIZE})])]


def kind_of(spec: Format) -> CompetitionKind:
    """Return the kind of a competition that is played in a format: a ladder where it has no end."""
    return CompetitionKind.LADDER if spec.flow is Flow.CONTINUOUS else CompetitionKind.CUP


def formats_of(kind: CompetitionKind) -> tuple[Format, ...]:
    """Return the formats of ladders or of cups, the usual one first."""
    return tuple(spec for spec in FORMATS.values() if kind_of(spec) == kind)


def recipes_of(kind: CompetitionKind) -> tuple[Recipe, ...]:
    """Return the recipes of ladders or of cups, the usual one first."""
    return tuple(recipe for recipe in RECIPES.values() if recipe.kind == kind)


def _of_one_stage(name: str) -> Recipe:
    """Return the recipe of a single stage in the format of that name, as it usually is."""
    spec = get_format(name)
    return Recipe(name, spec.label, spec.summary, kind_of(spec), (StageRecipe(name),))


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        _of_one_stage(POINTS_LADDER),
        _of_one_stage(CHALLENGE_LADDER),
        _of_one_stage(KNOCK_OUT),
        _of_one_stage(DOUBLE_ELIMINATION),
        _of_one_stage(ROUND_ROBIN),
        _of_one_stage(SWISS),
        Recipe(
            GROUPS_THEN_KNOCK_OUT,
            gettext_noop("Groups, then knock-out"),
            gettext_noop("Everybody plays everybody in groups of 4. The first two of each group go on to a knock-out."),
            CompetitionKind.CUP,
            (
                StageRecipe(ROUND_ROBIN, grouping={"size": 4}, advance={"first": 2, "seeding": CROSSED}),
                StageRecipe(KNOCK_OUT),
            ),
        ),
        Recipe(
            CHAMPIONSHIP,
            gettext_noop("Championship"),
            gettext_noop(
                "Leagues in a pyramid, season by season: everybody plays everybody twice in a group of about 9. "
                "The first two of a group go up, those below fifth go down, and the winner of the first league "
                "is champion."
            ),
            CompetitionKind.CUP,
            (StageRecipe(ROUND_ROBIN, {"cycles": 2}, seeding=Seeding.SEASON, grouping={"league_size": 9}),),
        ),
        Recipe(
            MINI_CUP,
            gettext_noop("Mini cup"),
            gettext_noop(
                "A group starts as soon as 3 players have joined, and everybody plays everybody twice. Players who "
                "score more than half of the points go up a level, where groups start at 3 again."
            ),
            CompetitionKind.CUP,
            (
                StageRecipe(
                    ROUND_ROBIN,
                    options={"cycles": 2},
                    grouping={"whenever": 3},
                    advance={"first": 0, "above_percent": 50, "levels": MAX_LEVELS},
                    late_entry=True,
                ),
            ),
        ),
        Recipe(
            MONTHLY_CUP,
            gettext_noop("Monthly cup"),
            gettext_noop(
                "Everybody plays everybody in groups of at most 5, which are drawn on the first of a month. The "
                "group winners play in groups again in the next month, until one is left. As a series it starts "
                "every month, and the winners of a year's cups meet in a final."
            ),
            CompetitionKind.CUP,
            (
                StageRecipe(
                    ROUND_ROBIN,
                    seeding=Seeding.DRAW,
                    grouping={"size": 5},
                    advance={"first": 1, "seeding": BY_DRAW, "levels": MAX_LEVELS, "begins": NEXT_MONTH},
                ),
            ),
        ),
        Recipe(
            TEAM_LEAGUE,
            gettext_noop("Team league"),
            gettext_noop(
                "All teams play each other on 2 to 6 boards: board 1 against board 1, and so on. Captains enter "
                "their teams, and can set another line-up before each round."
            ),
            CompetitionKind.CUP,
            (StageRecipe(ROUND_ROBIN, tiebreaks=TEAM_ORDER, seeding=Seeding.DRAW, round_days=7),),
            boards=4,
        ),
        Recipe(
            TEAM_CUP,
            gettext_noop("Team cup"),
            gettext_noop(
                "Two teams meet in each tie, on 2 to 6 boards: board 1 against board 1, and so on. The losing "
                "team is out. Captains enter their teams, and can set another line-up before each round."
            ),
            CompetitionKind.CUP,
            (StageRecipe(KNOCK_OUT, {"legs": 1, "replays": 0}, seeding=Seeding.DRAW, round_days=7),),
            boards=4,
        ),
    )
}
"""The stock recipes, by ``Recipe.name``. Those with ``boards`` are of competitions that teams join."""

YEAR_FINAL = Recipe(
    "year-final",
    gettext_noop("Final of the year"),
    gettext_noop("The winners of a year's seasons all play each other twice."),
    CompetitionKind.CUP,
    (StageRecipe(ROUND_ROBIN, {"cycles": 2}),),
)
"""The recipe of the final in which the winners of the seasons of a year meet."""
