"""Annul a match, or let it be played again: what followed from its result is taken back."""

from datetime import datetime

from django.utils.translation import gettext as _

from players.models import Player
from tournaments.decisions.errors import NoResult, ResultStands, TieNeedsResult
from tournaments.decisions.services.undo.changes import RELATED, Changes, find_fixture
from tournaments.decisions.services.undo.results import replays_after
from tournaments.decisions.services.undo.rounds import let_group_go_on, let_rounds_go_on
from tournaments.decisions.services.undo.statuses import check_status
from tournaments.decisions.services.undo.trial import foresee_of_fixture, take_back_of_fixture
from tournaments.models import Annulment, Competition, Fixture
from tournaments.office.services.log import log_action
from tournaments.rounds.services.consequences import Consequences, annul_matches
from tournaments.rounds.services.fixtures import set_up_again, start_fixture


def annul_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime, confirm: bool = False) -> Fixture:
    """Let a fixture count for nothing, in its competition and in the ratings, and return it; a match that goes on ends.

    Raises ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ResultStands`` where it is annulled
    already, ``TieNeedsResult``, or ``MatchesWouldBeLost`` where others go on to the next stage, somebody has moved
    there and this is not confirmed.
    """
    take_back_of_fixture(fixture_id=fixture_id, change=_annul, confirm=confirm, actor=actor, reason=reason, now=now)
    return Fixture.objects.select_related(*RELATED).get(pk=fixture_id)


def what_follows_from_annulling(*, fixture_id: int, now: datetime) -> Consequences:
    """Return what follows from annulling a match now. Raises what annulling it would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=_annul, now=now)


def replay_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime, confirm: bool = False) -> Fixture:
    """Annul a fixture that was begun and let it be played again; return the new one.

    Of a tie, the replay pairs after it are annulled too, for they followed from its result; who had gone on comes back,
    and what followed from that is taken back. A round that had ended goes on. Raises
    ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ResultStands``, ``NoResult`` where it has not
    begun, or ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed.
    """
    take_back_of_fixture(
        fixture_id=fixture_id, change=_play_again, confirm=confirm, actor=actor, reason=reason, now=now
    )
    return Fixture.objects.select_related(*RELATED).get(replayed=fixture_id)


def what_follows_from_replaying(*, fixture_id: int, now: datetime) -> Consequences:
    """Return what follows from a replay now. Raises what the replay would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=_play_again, now=now)


def _annul(fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    fixture = _find(fixture_id, competition)
    if fixture.tie_id is not None:
        raise TieNeedsResult(_("A knock-out tie needs this match. Replay or adjudicate it instead."))
    annul_matches(fixtures=[fixture], now=now)
    let_group_go_on(competition=competition, group=fixture.group)
    Fixture.objects.filter(pk=fixture.pk).update(is_annulled=True, annulment=Annulment.DECIDED)
    log_action(competition=competition, action="annulled", actor=actor, about=fixture, reason=reason, now=now)
    return Changes(meant=[fixture])


def _play_again(fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    fixture = _find(fixture_id, competition)
    if fixture.match_id is None and fixture.counted_at is None:
        raise NoResult(_("This match has not started."))
    annulled = [fixture, *replays_after(fixture)]
    annul_matches(fixtures=annulled, now=now)
    keys = [each.pk for each in annulled]
    Fixture.objects.filter(pk__in=keys).update(is_annulled=True)
    again = set_up_again(fixture, now=now)
    let_group_go_on(competition=competition, group=fixture.group)
    if fixture.round is not None:
        let_rounds_go_on(rounds=[fixture.round.pk], now=now)
    start_fixture(fixture=again, competition=competition, now=now)
    Fixture.objects.filter(pk__in=keys).update(replay=again)
    log_action(competition=competition, action="replayed", actor=actor, about=fixture, reason=reason, now=now)
    return Changes(meant=[fixture])


def _find(fixture_id: int, competition: Competition) -> Fixture:
    """Return a fixture that counts, of a competition that was played."""
    check_status(competition)
    fixture = find_fixture(fixture_id)
    if fixture.is_annulled:
        raise ResultStands(_("This match has already been annulled."))
    return fixture
