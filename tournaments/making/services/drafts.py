"""Competitions of players who organise: drafts made from recipes and deleted, options changed while they may be."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.options import MAX_DAYS, InvalidOptions, Option, OptionFault, options_of
from formats.scoring.reasons import DRAW
from formats.scoring.tiebreaks import TEAM_TIEBREAKS, TIEBREAKS
from formats.stage_plans import MAX_PLANNED
from players.models import Player
from rules_engine.registry import GAMES
from tournaments.making.errors import InvalidCompetition
from tournaments.making.selectors.making_conditions import reasons_not_to_make
from tournaments.making.services.competitions import (
    OPTIONS,
    STAGE_OPTIONS,
    STAGES,
    change_competition,
    create_competition,
    option_names,
)
from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Fixture, Stage
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.stage_checks import check_stages, option_name
from web.errors import InvalidDetails
from web.written_texts import clean_name, clean_text

MAX_NAME_LENGTH = 80
MAX_DESCRIPTION_LENGTH = 4000
MAX_PASSWORD_LENGTH = 100
MAX_DAYS_OF_VACATION = 366
MAX_RATING_LIMIT = 9999
MAX_NUMBER = 2**31 - 1
"""The largest number that a column of a competition holds."""

MAX_START_AHEAD = timedelta(days=MAX_DAYS)
MAX_START_AGO = timedelta(days=1)
"""Today began at different times for different people."""

PARTS: Mapping[str, type[Any]] = {"grouping": GroupingOptions, "advance": AdvanceRule}
"""The columns of a stage that hold options, and what these are."""

_CONFLICTS = {
    "grouping": gettext_lazy(
        "Enter the number of groups, the group size, or the group size for leagues. Enter only one of them."
    ),
    "advance": gettext_lazy(
        "Enter how many go on, the percentage of the points, or play-offs of leagues. Enter only one of them."
    ),
}
"""The sentences about numbers that exclude each other, in the parts of a stage that have such."""

WRITTEN: Mapping[str, Callable[..., str]] = {"name": clean_name, "description": clean_text}
"""The options that people write, and how each is checked."""

NOT_CHOSEN = frozenset({"slug", "creator", "created_at", "kind", "organisers", "password", "status", "winner"})
ONLY_OF_PLAYERS = {
    "min_rating": gettext_lazy("Teams have no rating: leave the limit empty."),
    "max_rating": gettext_lazy("Teams have no rating: leave the limit empty."),
    "check_in_minutes": gettext_lazy("Teams do not check in: their captains choose who plays."),
}
"""The options that no competition of teams has, and why."""


def make_draft(
    *,
    competition: Competition,
    stages: Sequence[Stage],
    maker: Player,
    now: datetime,
    written: Collection[str] = tuple(WRITTEN),
) -> None:
    """Store a competition that a player has made, as a draft which this player organises.

    ``written`` is as for ``check_draft``. Raises the first of ``reasons_not_to_make``, ``InvalidCompetition`` or
    ``InvalidStages``.
    """
    check_draft(competition=competition, stages=stages, now=now, written=written)
    first, *later = stages
    with transaction.atomic():
        # One after another, so that two requests at once do not pass the limits.
        locked = Player.objects.select_for_update(no_key=True).get(pk=maker.pk)
        if reasons := reasons_not_to_make(player=locked, now=now):
            raise reasons[0]
        create_competition(competition=competition, stage=first, later=later, creator=maker, now=now)


def edit_options(
    *,
    competition: Competition,
    stages: Sequence[Stage],
    changed: Collection[str],
    actor: Player,
    now: datetime,
    version: int | None = None,
    reason: str = "",
    asks_again: bool = False,
) -> None:
    """Store changed options of a competition; what it is given about them is as for ``change_competition``.

    Raises ``NotAnOrganiser``, ``WrongCompetitionStatus`` for an option that is fixed by now, ``OptionsChanged``,
    ``EntrantsNotAsked``, ``ReasonMissing``, ``InvalidCompetition`` or ``InvalidStages``.
    """
    check_draft(competition=competition, stages=stages, now=now, written=changed)
    first, *later = stages
    with transaction.atomic():
        check_organiser(competition=lock_competition(competition_id=competition.pk), player=actor)
        change_competition(
            competition=competition,
            stage=first,
            later=later,
            changed=changed,
            version=version,
            actor=actor,
            reason=reason,
            asks_again=asks_again,
            now=now,
        )


def find_changes(
    *,
    before: Competition,
    after: Competition,
    stages_before: Sequence[Stage],
    stages: Sequence[Stage],
) -> set[str]:
    """Return the names of the options in which a competition differs from what was read, for ``edit_options``."""
    changed = {name for name in OPTIONS if getattr(before, name) != getattr(after, name)}
    if len(stages_before) != len(stages):
        changed.add(STAGES)
    for number, (was, stage) in enumerate(zip(stages_before, stages, strict=False), start=1):
        if number == 1 or STAGES not in changed:
            changed |= {option_name(number, name) for name in option_names(stage) if _has_changed(was, stage, name)}
    return changed


def _has_changed(was: Stage, stage: Stage, name: str) -> bool:
    """Return whether a stage differs in a column or an option: one that was not named had its usual value."""
    if name in PARTS:
        return _whole(name, was) != _whole(name, stage)
    if name in STAGE_OPTIONS:
        return bool(getattr(was, name) != getattr(stage, name))
    usual = {each.name: each.default for each in stage.format_options}
    known = usual | (was.options if was.format == stage.format else {})
    return bool(stage.options.get(name, known[name]) != known[name])


def _whole(name: str, stage: Stage) -> dict[str, Any] | None:
    """Return the options of a part of a stage with those that its row does not name."""
    options: dict[str, Any] | None = getattr(stage, name)
    return None if options is None else {each.name: each.default for each in options_of(PARTS[name])} | options


def delete_draft(*, competition: Competition, actor: Player) -> None:
    """Delete a draft, with all who were entered in it, and a series of nothing else.

    Raises ``NotAnOrganiser`` or ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        locked = _lock_draft(
            competition, actor, _("Only a draft can be deleted. You can cancel the competition instead.")
        )
        if Fixture.objects.filter(competition_id=locked.pk).exists():
            raise WrongCompetitionStatus(_("This competition has been started before. You can cancel it instead."))
        series = locked.series
        locked.delete()
        if series is not None and not series.seasons.exists():
            series.delete()


def check_draft(
    *, competition: Competition, stages: Sequence[Stage], now: datetime, written: Collection[str] = tuple(WRITTEN)
) -> None:
    """Raise ``InvalidCompetition`` or ``InvalidStages`` for what cannot be, with sentences by the option at fault.

    The competition gets its name and description as they are to be stored, if they are among what was ``written`` now:
    what was stored before is not judged anew. The ``password`` must have been hashed.
    """
    faults = _faults_of_texts(competition, written)
    for name, sentences in _faults_of_columns(competition).items():
        faults[name] += sentences
    if _is_start_refused(competition, now):
        faults["starts_at"].append(_("Choose a start that is at most a day ago, and at most ten years ahead."))
    for number, stage in enumerate(stages, start=1):
        for name, sentences in _faults_of_stage(stage).items():
            faults[option_name(number, name)] += sentences
    if faults:
        raise InvalidCompetition(next(iter(faults.values()))[0], fields=dict(faults))
    check_stages(stages, max_entrants=competition.max_entrants, boards=competition.boards)


def faults_of_teams(options: Mapping[str, Any]) -> dict[str, str]:
    """Return a sentence for each of these options of a competition that only one of single players can have."""
    return {
        name: str(sentence)
        for name, sentence in ONLY_OF_PLAYERS.items()
        if options.get(name) is not None and options[name] is not False
    }


def _lock_draft(competition: Competition, actor: Player, sentence: str) -> Competition:
    locked = lock_competition(competition_id=competition.pk)
    check_organiser(competition=locked, player=actor)
    if locked.status != CompetitionStatus.DRAFT:
        raise WrongCompetitionStatus(sentence)
    return locked


def _faults_of_texts(competition: Competition, written: Collection[str]) -> dict[str, list[str]]:
    faults: dict[str, list[str]] = defaultdict(list)
    for name in WRITTEN.keys() & set(written):
        try:
            setattr(competition, name, WRITTEN[name](getattr(competition, name), field=name))
        except InvalidDetails as error:
            faults |= error.fields
    return faults


def _is_start_refused(competition: Competition, now: datetime) -> bool:
    """Return whether somebody chooses a start too long ago, or too far ahead; one that is stored may stay."""
    start = competition.starts_at
    if start is None or now - MAX_START_AGO <= start <= now + MAX_START_AHEAD:
        return False
    return not Competition.objects.filter(pk=competition.pk, starts_at=start).exists()


def _faults_of_columns(competition: Competition) -> dict[str, list[str]]:
    faults: dict[str, list[str]] = defaultdict(list)
    try:
        competition.full_clean(exclude=NOT_CHOSEN, validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        faults |= {name: list(sentences) for name, sentences in error.message_dict.items()}
    if competition.game not in GAMES:
        faults["game"] = [_("There is no such game.")]
    low, high, most = competition.min_rating, competition.max_rating, competition.max_entrants
    if competition.by_invitation and competition.password:
        faults["by_invitation"].append(_("Choose a password or invitations, not both."))
    if low is not None and high is not None and low > high:
        faults["max_rating"].append(_("The highest rating is lower than the lowest."))
    if competition.boards is not None:
        for name, sentence in faults_of_teams({name: getattr(competition, name) for name in ONLY_OF_PLAYERS}).items():
            faults[name].append(sentence)
    if competition.starts_when_full and most is None:
        faults["max_entrants"].append(_("A competition that starts when it is full needs a maximum number of players."))
    if competition.check_in_minutes is not None and competition.kind != CompetitionKind.CUP:
        faults["check_in_minutes"].append(_("A ladder has no check-in: players join and leave it at any time."))
    if competition.protest_hours is not None and competition.kind != CompetitionKind.CUP:
        faults["protest_hours"].append(_("A ladder has no protest time: it never ends by itself."))
    if most is not None and most > MAX_PLANNED:
        faults["max_entrants"].append(_("At most %(most)d players.") % {"most": MAX_PLANNED})
    return faults


def _faults_of_stage(stage: Stage) -> dict[str, list[str]]:
    """Return what is wrong with a stage by itself, as sentences by option."""
    faults: dict[str, list[str]] = defaultdict(list)
    chosen: list[tuple[str, type[Any], str]] = [
        ("", stage.format_spec.options, "chosen_options"),
        ("grouping", GroupingOptions, "grouping_options"),
        ("advance", AdvanceRule, "advance_rule"),
    ]
    for name, type_, as_read in chosen:
        try:
            getattr(stage, as_read)
        except InvalidOptions as error:
            known = {each.name: each for each in options_of(type_)}
            for option, fault in error.faults.items():
                if name and _is_conflict(known.get(option), *fault):
                    faults[name] = [str(_CONFLICTS[name])]
                else:
                    label = _(known[option].label) if option in known else option
                    faults[name or option].append(_explain(f"{label[:1].upper()}{label[1:]}", *fault))
    try:
        stage.clean_fields(exclude={"competition", "number", "format", "options", "tiebreaks", "draw_seed"})
    except ValidationError as error:
        for name, sentences in error.message_dict.items():
            faults[name] += sentences
    if unknown := [key for key in stage.tiebreaks if key not in TIEBREAKS and key not in TEAM_TIEBREAKS]:
        faults["tiebreaks"].append(_("There is no such tie-break: %(tiebreaks)s.") % {"tiebreaks": ", ".join(unknown)})
    elif len({*stage.tiebreaks}) < len(stage.tiebreaks):
        faults["tiebreaks"].append(_("Use each tie-break only once."))
    elif stage.tiebreaks and stage.tiebreaks[-1] != DRAW:
        faults["tiebreaks"].append(_("Drawing lots always decides last."))
    return faults


def _is_conflict(option: Option | None, fault: OptionFault, parameters: Mapping[str, Any]) -> bool:
    """Return whether a value would be good by itself, and others exclude it."""
    if option is None:
        return False
    if fault is OptionFault.NOT_A_CHOICE:
        return not option.choices
    return fault is OptionFault.TOO_LARGE and bool(parameters["maximum"] != option.maximum)


def _explain(label: str, fault: OptionFault, parameters: Mapping[str, Any]) -> str:
    """Return what is wrong with an option's value."""
    match fault:
        case OptionFault.UNKNOWN:
            return _("%(option)s: there is no such option. You can use: %(known)s.") % {
                "option": label,
                "known": ", ".join(parameters["known"]),
            }
        case OptionFault.TOO_SMALL:
            return _("%(option)s: at least %(least)s.") % {"option": label, "least": parameters["minimum"]}
        case OptionFault.TOO_LARGE:
            return _("%(option)s: at most %(most)s.") % {"option": label, "most": parameters["maximum"]}
        case OptionFault.NOT_A_CHOICE:
            return _("%(option)s: choose one of %(choices)s.") % {
                "option": label,
                "choices": ", ".join(parameters["choices"]),
            }
        case _:
            return _("%(option)s: this is not of the type %(type)s.") % {"option": label, "type": parameters["type"]}
