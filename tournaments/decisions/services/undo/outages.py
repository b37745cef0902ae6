"""Let matches go on that were lost on time in an outage, and take that back."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import partial

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches import clock
from matches.models import ClockExtension, ExtensionKind
from matches.sentences import format_time_left
from matches.services.adjudication import forfeit_matches
from matches.services.reopen_match import lose_again
from matches.services.site_pauses import MAX_LENGTH
from players.models import Player
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.decisions.errors import InvalidOutage, NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.corrected_results import Verdict, correct_results
from tournaments.decisions.services.undo.results import open_again, replays_after
from tournaments.decisions.services.undo.statuses import check_status
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.models import Competition, Fixture, Group, LogEntry
from tournaments.models.fixture import LOST_ON_TIME
from tournaments.models.log import FORGIVEN, UNDONE
from tournaments.office.services.log import Change, log_action
from tournaments.records.outages import standing_outages
from tournaments.records.results import result_of
from tournaments.rounds.services.consequences import MAX_MATCHES, Consequences, name_first, name_match
from tournaments.rounds.services.set_aside import set_aside
from tournaments.running.services.settlement import settle_competition
from web.moments import format_moment


def find_lost(*, competition_id: int, begins_at: datetime, ends_at: datetime) -> list[Fixture]:
    """Return the matches that were lost on time in a span and can go on, in the order of their ends.

    That is so where both entrants are still in, with the same players, and nobody has corrected the result. At most
    one more than ``MAX_MATCHES``.
    """
    lost = _lost_in(competition_id).filter(finished_at__gte=begins_at, finished_at__lte=ends_at)
    in_order = lost.select_related(*RELATED).order_by("finished_at", "pk")[: MAX_MATCHES + 1]
    return [each for each in in_order if _can_go_on(each)]


def has_lost(*, competition_id: int) -> bool:
    """Return whether a match of a competition was lost on time, so that an outage may be why."""
    return _lost_in(competition_id).exists()


def forgive_outage(
    *,
    competition_id: int,
    begins_at: datetime,
    ends_at: datetime,
    kept: Collection[int] = (),
    confirm: bool,
    actor: Player,
    reason: str,
    now: datetime,
) -> Competition:
    """Let the matches go on that were lost on time in a span, but for some whose results are ``kept``.

    The clock of who lost holds what it held when the span began, or their turn if that was later. Return the
    competition, which goes on if it had ended. Raises ``CompetitionNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``InvalidOutage`` for a span that is not over, too long, or in which nothing was lost,
    or ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed.
    """
    change = partial(_forgive, begins_at=begins_at, ends_at=ends_at, kept=kept, actor=actor, reason=reason, now=now)
    return take_back(competition_id=competition_id, change=change, confirm=confirm, actor=actor, now=now)


def what_follows_from_forgiving(
    *, competition_id: int, begins_at: datetime, ends_at: datetime, kept: Collection[int] = (), now: datetime
) -> Consequences:
    """Return what follows from letting matches of a span go on. Raises what doing it would, but for the lost."""
    change = partial(_forgive, begins_at=begins_at, ends_at=ends_at, kept=kept, actor=None, reason="", now=now)
    return foresee(competition_id=competition_id, change=change, now=now)


def take_back_outage(*, competition_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Competition:
    """Let the matches that were let go on last be lost on time as they were, and return the competition.

    Where somebody has moved since, who had lost forfeits the match, or its result is corrected. Raises
    ``CompetitionNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, also where a match
    was annulled since, or ``MatchesWouldBeLost`` where somebody has moved there, or in what followed, and this is not
    confirmed.
    """
    change = partial(_undo, actor, reason, now)
    return take_back(competition_id=competition_id, change=change, confirm=confirm, actor=actor, now=now)


def what_follows_from_taking_back_outage(*, competition_id: int, now: datetime) -> Consequences:
    """Return what follows from taking that back now. Raises what taking it back would, but for the lost."""
    return foresee(competition_id=competition_id, change=partial(_undo, None, "", now), now=now)


def _lost_in(competition_id: int) -> QuerySet[Fixture]:
    groups = Group.objects.filter(stage__competition=competition_id).values("pk")
    return Fixture.objects.filter(
        LOST_ON_TIME,
        Q(ending=Ending.TIMEOUT) | Q(match__begin_within__isnull=False),
        group__in=groups,
        match__isnull=False,
        correction=None,
    )


def _can_go_on(fixture: Fixture) -> bool:
    match = fixture.match
    if match is None or not match.is_lost_on_time or not (fixture.yellow.is_in and fixture.red.is_in):
        return False
    return BySide(match.yellow_id, match.red_id) == fixture.player_ids


def _forgive(
    competition: Competition,
    *,
    begins_at: datetime,
    ends_at: datetime,
    kept: Collection[int],
    actor: Player | None,
    reason: str,
    now: datetime,
) -> Changes:
    check_status(competition)
    _check_span(begins_at, ends_at, now)
    fixtures = _choose(find_lost(competition_id=competition.pk, begins_at=begins_at, ends_at=ends_at), kept)
    _log(
        FORGIVEN,
        fixtures,
        competition=competition,
        actor=actor,
        reason=reason,
        now=now,
        changes=[Change(what=_("outage"), old=format_moment(begins_at), new=format_moment(ends_at))],
    )
    changes = open_again(competition=competition, fixtures=fixtures, now=now, since=begins_at)
    # Those that follow from others go on once these have ended, if the same two are to meet there again.
    asked = {each.pk: each for each in fixtures}
    changes.reopened = [each if each.match_id is not None else asked[each.pk] for each in changes.reopened]
    set_aside(fixtures=[later for each in fixtures for later in replays_after(each)], now=now)
    changes.more += _say_times(changes.reopened, now)
    return changes


def _check_span(begins_at: datetime, ends_at: datetime, now: datetime) -> None:
    if not begins_at < ends_at:
        raise _refuse("ends_at", _("It must end after it begins."))
    if ends_at > now:
        raise _refuse("ends_at", _("It must be over."))
    if ends_at - begins_at > MAX_LENGTH:
        raise _refuse("ends_at", _("It can last %d days at most.") % MAX_LENGTH.days)


def _choose(lost: Sequence[Fixture], kept: Collection[int]) -> list[Fixture]:
    """Return the matches that go on. Raises ``InvalidOutage``."""
    if not lost:
        raise _refuse("begins_at", _("No match that could go on was lost on time then."))
    if len(lost) > MAX_MATCHES:
        raise _refuse("ends_at", _("More than %(most)d matches were lost on time then.") % {"most": MAX_MATCHES})
    chosen = [each for each in lost if each.pk not in kept]
    if not set(kept) <= {each.pk for each in lost}:
        raise _refuse("kept", _("Some of these matches were not lost on time then."))
    if not chosen:
        raise _refuse("kept", _("At least one match must go on."))
    return chosen


def _refuse(field: str, sentence: str) -> InvalidOutage:
    return InvalidOutage(sentence, fields={field: [sentence]})


def _say_times(fixtures: Sequence[Fixture], now: datetime) -> Iterator[str]:
    """Yield for each match that goes on how much time who had lost has."""
    for each in fixtures:
        if each.match is not None and each.match.side:
            side = Side(each.match.side)
            left = each.match.time_left(side, clock.whole_millisecond(now))
            yield _("%(match)s goes on: %(player)s has %(time)s.") % {
                "match": name_match(each),
                "player": each.name_of(side),
                "time": format_time_left(left),
            }


def _undo(actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    check_status(competition)
    standing = standing_outages(competition_id=competition.pk)
    if not standing:
        raise NothingToTakeBack(_("No match goes on after an outage."))
    at = clock.whole_millisecond(standing[-1].logged_at)
    rows = ClockExtension.objects.filter(
        kind=ExtensionKind.OUTAGE, granted_at=at, match__fixture__competition=competition.pk
    )
    forgiven = {row.match_id: row for row in rows}
    # Those that wait for an earlier round since then come back with it, and are lost again.
    not_waiting = Fixture.objects.filter(match__in=forgiven).exclude(is_annulled=True, cause=standing[-1])
    of_matches = not_waiting.select_related(*RELATED).order_by("pk")
    if annulled := [each for each in of_matches if each.is_annulled]:
        # Whatever brings one back lets it go on, which it must not do once this is taken back.
        raise NothingToTakeBack(
            _("Matches that went on count no more: %(names)s. Take back first what annulled them.")
            % {"names": name_first(annulled)}
        )
    fixtures = [(each, Side(forgiven[each.match_id].side)) for each in of_matches if each.match_id is not None]
    named = [each for each, _loser in fixtures]
    cause = _log(UNDONE, named, competition=competition, actor=actor, reason=reason, now=now)
    changes, played = Changes(), []
    untouched = {each.pk for each in named if each.match and each.match.ply == forgiven[each.match.pk].ply}
    lost = lose_again(forgiven=[forgiven[each.match_id] for each, _loser in fixtures if each.match_id is not None])
    left = [
        each
        for each, loser in fixtures
        if _was_left(each) and (each.pk in untouched or _winner_of(each, competition) != loser.opponent)
    ]
    # They had been lost before anybody left: they end by that again.
    open_again(competition=competition, fixtures=left, now=now)
    for fixture, loser in fixtures:
        if fixture.match_id in lost or (fixture in left and fixture.pk in untouched):
            changes.meant.append(fixture)
            sentence = _("%(player)s loses %(match)s on time again.")
            changes.more.append(sentence % {"player": fixture.name_of(loser), "match": name_match(fixture)})
        elif fixture in left:
            changes.overruled.append(fixture)
        elif _winner_of(fixture, competition) != loser.opponent:
            played.append((fixture, loser))
    _overrule(played, competition, cause)
    settle_competition(competition=competition, until=now, now=now)
    if competition.is_endless:
        # Games made room for those that went on.
        gone = Fixture.objects.filter(competition=competition.pk, cause=standing[-1], is_annulled=True)
        room = open_again(competition=competition, fixtures=list(gone.select_related(*RELATED)), now=now)
        changes.reopened, changes.lost, changes.withdrawn = room.reopened, room.lost, room.withdrawn
    changes.overruled += [fixture for fixture, _loser in played]
    changes.meant += changes.overruled
    return changes


def _was_left(fixture: Fixture) -> bool:
    """Return whether somebody has left a match since it went on."""
    return fixture.ending == Ending.FORFEIT and fixture.match is not None and not fixture.match.is_no_show


def _winner_of(fixture: Fixture, competition: Competition) -> Side | None:
    """Return who has won a match, nobody while it goes on."""
    result = result_of(fixture, competition)
    return None if result is None else result.winner


def _overrule(played: Sequence[tuple[Fixture, Side]], competition: Competition, cause: LogEntry) -> None:
    """Let who had lost on time lose although somebody has moved since: by a forfeit, or the result is corrected."""
    losers = {fixture.pk: loser for fixture, loser in played}
    running = {each.match_id: loser for each, loser in played if each.match_id is not None and each.counted_at is None}
    forfeit_matches(losers=running, now=cause.logged_at)

    def decide(fixture: Fixture) -> Verdict:
        winner, goals = losers[fixture.pk].opponent, fixture.goals or BySide(0, 0)
        return Verdict(winner, competition.points_of(Outcome(winner, Ending.ADJUDICATION, goals)), goals)

    over = [fixture for fixture, _loser in played if fixture.counted_at is not None]
    correct_results(competition=competition, fixtures=over, decide=decide, cause=cause)


def _log(
    action: str,
    fixtures: Sequence[Fixture],
    *,
    competition: Competition,
    actor: Player | None,
    reason: str,
    now: datetime,
    changes: Sequence[Change] = (),
) -> LogEntry:
    return log_action(
        competition=competition,
        action=action,
        actor=actor,
        subject=name_first(fixtures),
        reason=reason,
        changes=changes,
        now=now,
        players={player.pk: player for each in fixtures for player in each.seated}.values(),
    )
