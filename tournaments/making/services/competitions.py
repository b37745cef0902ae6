"""Create ladders and cups, and change their options."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.services.budgets import spending_of
from tournaments.decisions.errors import ReasonMissing
from tournaments.entries.services.check_ins import forget_check_in
from tournaments.entries.services.new_invitations import ask_entrants_again
from tournaments.making.errors import EntrantsNotAsked, InvalidCompetition
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    EntryInvitation,
    Group,
    InvitationStatus,
    Stage,
)
from tournaments.models.audiences import CONDITIONS_CHANGED
from tournaments.office.option_texts import (
    competition_option_text,
    competition_option_title,
    stage_option_text,
    stage_option_title,
    stages_text,
)
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import Change, log_action
from tournaments.office.services.option_versions import check_version, count_version
from tournaments.office.services.slugs import find_free_slug
from tournaments.records.groups import is_drawn
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.seating import fill_in, store_competition
from tournaments.rounds.services.stage_checks import check_stages, option_name
from tournaments.running.selectors.agreed_players import have_others_joined
from tournaments.running.selectors.waiting_lists import waiting_list
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.departure import leave_inactive
from tournaments.running.services.free_places import fill_places
from tournaments.running.services.ladder_seats import note_all_on_ladder
from tournaments.tables.services.standings import mark_all_standings_stale
from web.limits.table import COMPETITIONS

OPTIONS = frozenset(
    "name slug description game time_bank time_increment time_cap vacation_limit begin_hours protest_hours is_rated "
    "admits_computers max_entrants min_rating max_rating password by_invitation starts_at starts_when_full "
    "check_in_minutes boards point_table disqualification".split()
)
LATER_OPTIONS = frozenset("format tiebreaks grouping advance round_days at_round_end".split())
"""The columns of every stage that are chosen for it."""

STAGE_OPTIONS = LATER_OPTIONS | {"seeding", "late_entry"}
"""The columns of the first stage that are chosen: where the seeds of later ones come from, the stage before says."""

STAGES = "stages"
"""Names among the options which stages there are."""

FREE_ALWAYS = frozenset({"name", "description"})
OF_NEWCOMERS = frozenset("min_rating max_rating password by_invitation".split())
"""The options that say who else may enter."""

NO_CONDITIONS = FREE_ALWAYS | OF_NEWCOMERS | {"slug"}
"""The options that are nothing to those who have entered. Of all others they hear when they change."""

FREE_WHILE_RUNNING = FREE_ALWAYS | OF_NEWCOMERS | {"admits_computers", "max_entrants"}
AGREED_BY_ENTERING = frozenset("game time_bank time_increment time_cap".split())
"""The options that change after the opening only if everybody who has entered is asked again."""

FREE_IN_A_STAGE = frozenset({"at_round_end", "late_entry"})
FREE_BEFORE_ITS_BEGIN = FREE_IN_A_STAGE | {"round_days"}
FIXED_BY_A_DRAW = frozenset("boards format seeding round_days grouping".split())
WIDENING = frozenset({"max_entrants", "is_rated", "admits_computers"})
"""The options by which players of the waiting list may get a place."""

SHAPING_STAGES = frozenset("format grouping advance".split())


def fixed_options(*, competition: Competition) -> frozenset[str]:
    """Return the names of the options that can't be changed any more as far as the competition has come.

    They are columns of the competition, and columns and options of its stages by ``option_name``; ``STAGES`` is among
    them where no stage can be added or removed.
    """
    stages = competition.all_stages
    if competition.status in NOT_STARTED:
        if not is_drawn(competition=competition):
            return frozenset()
        return FIXED_BY_A_DRAW | {option.name for option in stages[0].format_options if not option.is_free}
    is_over = competition.status in ENDED
    fixed = (OPTIONS - (FREE_ALWAYS if is_over else FREE_WHILE_RUNNING)) | {STAGES}
    begun = max(Group.objects.filter(stage__in=stages).values_list("stage__number", flat=True))
    for stage in stages:
        free = frozenset() if is_over or stage.number < begun else _free_options(stage, has_begun=stage.number == begun)
        fixed |= {option_name(stage.number, name) for name in option_names(stage) - free}
    return frozenset(fixed)


def option_names(stage: Stage) -> frozenset[str]:
    """Return the names of all that can be chosen for a stage: columns of its own, and options of its format."""
    columns = STAGE_OPTIONS if stage.number == 1 else LATER_OPTIONS
    return columns | {option.name for option in stage.format_options}


def create_competition(
    *, competition: Competition, stage: Stage, creator: Player, now: datetime, later: Sequence[Stage] = ()
) -> None:
    """Store a new competition, whose creator becomes its organiser, with its first stage and the ``later`` ones.

    An empty slug is made from the name. Raises ``InvalidOptions`` or ``BudgetSpent``.
    """
    competition.creator, competition.created_at = creator, now
    competition.slug = competition.slug or find_free_slug(
        competition.name, among=Competition.objects.all(), otherwise=competition.kind
    )
    with spending_of(creator, COMPETITIONS, now=now), transaction.atomic():
        store_competition(competition=competition, stage=stage, later=later)
        competition.organisers.add(creator)


def change_competition(
    *,
    competition: Competition,
    stage: Stage,
    changed: Collection[str],
    actor: Player,
    now: datetime,
    later: Sequence[Stage] = (),
    version: int | None = None,
    reason: str = "",
    asks_again: bool = False,
) -> None:
    """Store changed options of a competition and of its stages, and log for its players from what to what, and why.

    ``changed`` are names as ``fixed_options`` returns them. With ``STAGES`` among them, the ``later`` stages take the
    place of all that there were; otherwise of each only what is named is stored. ``version`` is the
    ``options_version`` that was read, ``None`` for whatever there is. A running competition's table that is made
    differently now is recomputed. Entrants hear of conditions that change, which while it runs needs a ``reason``.
    With ``asks_again`` others who have joined are invited instead if the game or the clock is another one. Raises
    ``OptionsChanged``, ``WrongCompetitionStatus`` where an option has become fixed, what ``check_change`` raises,
    ``BudgetSpent``, ``InvalidCompetition``, ``InvalidOptions``, and ``InvalidStages``.
    """
    names = sorted(changed)
    if not names:
        return
    wanted = [stage, *later]
    titles = [_title(name, wanted) for name in names]
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        check_version(competition=locked, version=version)
        catch_up(competition=locked, now=now)
        competition.status = locked.status
        fixed = fixed_options(competition=locked) & set(names)
        if fixed:
            too_late = ", ".join(title for name, title in zip(names, titles, strict=True) if name in fixed)
            raise WrongCompetitionStatus(_("It is too late to change this: %(options)s.") % {"options": too_late})
        check_change(competition=locked, changed=names, reason=reason, asks_again=asks_again)
        if _undoes_agreement(locked, names):
            ask_entrants_again(competition=locked, actor=actor, now=now)
            competition.refresh_from_db(fields=["entrants"])
        are_conditions = _are_conditions(locked, names)
        _check_boards(locked, competition, names)
        old = [_text(name, locked, locked.all_stages) for name in names]
        competition.save(update_fields=OPTIONS.intersection(names))
        stages = _store_stages(locked, wanted, names)
        if "format" in names:
            note_all_on_ladder(competition_id=competition.pk)
        if competition.status in NOT_STARTED and _shapes_stages(stages, names):
            most = (competition if "max_entrants" in names else locked).max_entrants
            boards = (competition if "boards" in names else locked).boards
            check_stages(stages, max_entrants=most, boards=boards)
        if _shapes_table(wanted, names) and competition.status == CompetitionStatus.RUNNING:
            mark_all_standings_stale(competition_id=competition.pk, now=now)
        if "inactive_days" in names:
            # Nobody has left before the ladder said that they would.
            leave_inactive(competition=locked, now=now, not_before=now)
        count_version(competition=locked)
        competition.options_version = locked.options_version
        log_action(
            competition=competition,
            action=CONDITIONS_CHANGED if are_conditions else "changed",
            actor=actor,
            subject=", ".join(titles),
            reason=reason,
            players=_about_to_enter(locked) if are_conditions else (),
            changes=_list_changes(names, titles, old, [_text(name, competition, stages) for name in names]),
            now=now,
        )
        if (
            "check_in_minutes" in names
            and competition.check_in_minutes is None
            and locked.check_in_opened_at is not None
        ):
            # Nobody has to check in any more.
            forget_check_in(competition=locked, actor=actor, reason=reason, now=now)
            competition.check_in_opened_at = None
        if WIDENING.intersection(names):
            fill_places(competition=lock_competition(competition_id=competition.pk), now=now)


def check_change(
    *, competition: Competition, changed: Collection[str], reason: str = "", asks_again: bool = False
) -> None:
    """Raise ``EntrantsNotAsked`` where players have joined for what changes, and are not to be asked again.

    Raises ``ReasonMissing`` where conditions of a running competition change and nobody says why.
    """
    if not asks_again and _undoes_agreement(competition, changed):
        sentence = _("Players have joined for this game and this clock. To change them, ask all players again.")
        raise EntrantsNotAsked(sentence, fields={"asks_again": [sentence]})
    is_running = competition.status == CompetitionStatus.RUNNING
    if is_running and not reason.strip() and _are_conditions(competition, changed):
        sentence = _("Give a reason. All who are in the competition are told of this change.")
        raise ReasonMissing(sentence, fields={"reason": [sentence]})


def describe_changes(
    *,
    before: Competition,
    after: Competition,
    stages_before: Sequence[Stage],
    stages: Sequence[Stage],
    changed: Collection[str],
) -> list[Change]:
    """Return what the log would say of these changes, to be read before they are stored."""
    names = sorted(changed)
    old, new = ([_text(name, *each) for name in names] for each in ((before, stages_before), (after, stages)))
    return _list_changes(names, [_title(name, stages) for name in names], old, new)


def describe_options(*, competition: Competition, names: Collection[str]) -> list[tuple[str, str]]:
    """Return these options of a competition and of its stages in words, as (title, value), but for the password."""
    stages = competition.all_stages
    ordered = sorted(OPTIONS - {"password"})
    for stage in stages:
        ordered += [option_name(stage.number, name) for name in sorted(option_names(stage))]
    return [(_title(name, stages), _text(name, competition, stages)) for name in ordered if name in names]


def _undoes_agreement(competition: Competition, changed: Collection[str]) -> bool:
    """Return whether others have agreed to options that change, by joining before the start."""
    is_coming = competition.status in NOT_STARTED and not AGREED_BY_ENTERING.isdisjoint(changed)
    return is_coming and have_others_joined(competition)


def _are_conditions(competition: Competition, changed: Collection[str]) -> bool:
    """Return whether entrants hear of a change of these options: nobody has heard of a draft."""
    return competition.status != CompetitionStatus.DRAFT and not NO_CONDITIONS.issuperset(changed)


def _about_to_enter(competition: Competition) -> list[Player]:
    """Return who waits for a place in a competition, and who has been invited and has not answered."""
    asked = EntryInvitation.objects.filter(
        competition_id=competition.pk, status=InvitationStatus.WAITING, asked_at__isnull=False
    )
    waiting = waiting_list(competition) if competition.status in NOT_STARTED else ()
    return [each.player for each in (*waiting, *asked.select_related("player"))]


def _list_changes(names: Sequence[str], titles: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[Change]:
    return [
        Change(what=title, old=was, new=_("another one") if name == "password" and is_now == was else is_now)
        for name, title, was, is_now in zip(names, titles, old, new, strict=True)
    ]


def hide_competition(*, competition_id: int, actor: Player, now: datetime) -> None:
    """Let a competition exist for its organisers and superusers alone, and log it. Again has no effect."""
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if competition.hidden_at is None:
            _set_hidden(competition, now)
            log_action(competition=competition, action="hidden", actor=actor, now=now)


def show_competition(*, competition_id: int, actor: Player, now: datetime) -> None:
    """Let a competition that was hidden exist for everybody again, and log it. Again has no effect."""
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if competition.hidden_at is not None:
            _set_hidden(competition, None)
            log_action(competition=competition, action="shown", actor=actor, now=now)
            fill_places(competition=competition, now=now)


def _set_hidden(competition: Competition, moment: datetime | None) -> None:
    competition.hidden_at = moment
    competition.save(update_fields=["hidden_at"])


def _store_stages(locked: Competition, wanted: Sequence[Stage], changed: Collection[str]) -> list[Stage]:
    """Store what has changed of the stages, leave what others have changed meanwhile, and return all as they are."""
    stored = {each.number: each for each in locked.all_stages}
    kept = []
    for number, stage in enumerate(wanted, start=1):
        names = {name for name in option_names(stage) if option_name(number, name) in changed}
        if STAGES in changed and number > 1:
            names = set(option_names(stage))
        each = stored.pop(number, None) or Stage(competition=locked, number=number)
        _take_over(each, stage, names)
        kept.append(each)
    if STAGES in changed:
        Stage.objects.filter(pk__in=[each.pk for each in stored.values()]).delete()
    return kept


def _take_over(stored: Stage, stage: Stage, names: Collection[str]) -> None:
    """Store these columns and options of a stage in a row of one."""
    options = {name: stage.options[name] for name in names if name in stage.options}
    if stored.format == stage.format:
        options = stored.options | options
    for name in STAGE_OPTIONS.intersection(names):
        setattr(stored, name, getattr(stage, name))
    stored.options = options
    fill_in(stored, of_teams=stored.competition.boards is not None)
    stored.save()
    stage.options = stored.options


def _free_options(stage: Stage, *, has_begun: bool) -> frozenset[str]:
    """Return what can be changed of a stage of a running competition that is not over."""
    free = {option.name for option in stage.format_options if option.is_free}
    if stage.is_endless:
        free.add("tiebreaks")
    return frozenset(free) | (FREE_IN_A_STAGE if has_begun else FREE_BEFORE_ITS_BEGIN)


def _check_boards(locked: Competition, changed: Competition, names: Collection[str]) -> None:
    """Raise ``InvalidCompetition`` where teams would come in place of single players, or these in place of teams."""
    if "boards" in names and (locked.boards is None) != (changed.boards is None):
        sentence = _("You cannot switch a competition between single players and teams.")
        raise InvalidCompetition(sentence, fields={"boards": [sentence]})


def _shapes_stages(stages: Sequence[Stage], changed: Collection[str]) -> bool:
    """Return whether anything has changed that stages have to go together in."""
    shaping = {option_name(stage.number, name) for stage in stages for name in SHAPING_STAGES}
    return not shaping.isdisjoint(changed) or not {STAGES, "max_entrants"}.isdisjoint(changed)


def _shapes_table(stages: Sequence[Stage], changed: Collection[str]) -> bool:
    """Return whether a table follows from anything that has changed."""
    return any(
        option_name(number, name) in changed
        for number, stage in enumerate(stages, start=1)
        for name in [
            "tiebreaks",
            *(option.name for option in stage.format_options if option.shapes_table),
        ]
    )


def _title(name: str, stages: Sequence[Stage]) -> str:
    """Return what an option is called, for the log."""
    stage, own = _find_stage(name, stages)
    if stage is None:
        return competition_option_title(name)
    title, number = stage_option_title(stage, own), stages.index(stage) + 1
    return title if number == 1 else f"stage {number}: {title}"


def _text(name: str, competition: Competition, stages: Sequence[Stage]) -> str:
    """Return the value of an option in words."""
    if name == STAGES:
        return stages_text(stages)
    stage, own = _find_stage(name, stages)
    if stage is not None:
        return stage_option_text(stage, own)
    return competition_option_text(competition, name, stages) if name in OPTIONS else _("none")


def _find_stage(name: str, stages: Sequence[Stage]) -> tuple[Stage | None, str]:
    """Return the stage whose option this is, and what it is called there; ``None`` for one of the competition."""
    for number, stage in enumerate(stages, start=1):
        own = {option_name(number, each): each for each in option_names(stage)}
        if name in own:
            return stage, own[name]
    return None, name
