"""Take back what organisers decided about single matches: an adjudication, a forfeit, an annulment, a replay."""

from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _

from matches.services.reopen_match import DECIDED
from players.models import Player
from rules_engine.values import Ending
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes, find_fixture
from tournaments.decisions.services.undo.results import annul, count_again, open_again, replays_after
from tournaments.decisions.services.undo.rivals import Counting, keep_new, replayed_by, say_rivals
from tournaments.decisions.services.undo.statuses import check_status
from tournaments.decisions.services.undo.trial import foresee_of_fixture, take_back_of_fixture
from tournaments.entries.errors import EntryOver
from tournaments.models import Annulment, Competition, Entry, Fixture
from tournaments.office.services.log import log_action
from tournaments.rounds.services.consequences import Consequences


def take_back_decision(
    *,
    fixture_id: int,
    confirm: bool,
    actor: Player,
    reason: str,
    now: datetime,
    counts: Counting = Counting.OLD,
) -> Fixture:
    """Let a match that was adjudicated, or forfeited, go on from where it stood, and return its fixture.

    The clocks hold what they held. One that had not begun is to be played. The entrant who went on by it comes back,
    and what followed is taken back; a competition that was over goes on. Raises ``FixtureNotFound``,
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, ``EntryOver`` for a forfeit of who has
    withdrawn, or ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed. On a
    ladder where the same two play again, and have moved in both, ``counts`` says which counts: the other is annulled.
    """
    change = partial(_open, counts=counts)
    take_back_of_fixture(fixture_id=fixture_id, change=change, confirm=confirm, actor=actor, reason=reason, now=now)
    return find_fixture(fixture_id)


def what_follows_from_taking_back_decision(
    *, fixture_id: int, now: datetime, counts: Counting = Counting.OLD
) -> Consequences:
    """Return what follows from taking back a decision now. Raises what taking it back would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=partial(_open, counts=counts), now=now)


def take_back_annulment(
    *,
    fixture_id: int,
    confirm: bool,
    actor: Player,
    reason: str,
    now: datetime,
    counts: Counting = Counting.OLD,
) -> Fixture:
    """Let a match that an organiser annulled count again as it ended, or go on if it had not; return its fixture.

    Where the same two have played again since, ``counts`` says which counts, as for a decision. Raises
    ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, or ``NothingToTakeBack``.
    """
    change = partial(_restore, counts=counts)
    take_back_of_fixture(fixture_id=fixture_id, change=change, confirm=confirm, actor=actor, reason=reason, now=now)
    return find_fixture(fixture_id)


def what_follows_from_taking_back_annulment(
    *, fixture_id: int, now: datetime, counts: Counting = Counting.OLD
) -> Consequences:
    """Return what follows from taking back an annulment now. Raises what taking it back would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=partial(_restore, counts=counts), now=now)


def take_back_replay(
    *,
    fixture_id: int,
    confirm: bool,
    actor: Player,
    reason: str,
    now: datetime,
    counts: Counting = Counting.OLD,
) -> Fixture:
    """Let a match count again that is played again, instead of the new one, and return its fixture.

    Either of the two names it. The replays of a tie that were annulled with it count again, too. Where somebody has
    moved in both, ``counts`` says which counts: the other is annulled by that. Raises
    ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, or
    ``MatchesWouldBeLost`` where somebody has moved in the new match, or in what followed, and this is not confirmed.
    """
    old = replayed_by(find_fixture(fixture_id))
    change = partial(_unplay, counts=counts)
    take_back_of_fixture(fixture_id=fixture_id, change=change, confirm=confirm, actor=actor, reason=reason, now=now)
    return find_fixture(old.pk if old is not None else fixture_id)


def what_follows_from_taking_back_replay(
    *, fixture_id: int, now: datetime, counts: Counting = Counting.OLD
) -> Consequences:
    """Return what follows from taking back a replay now. Raises what taking it back would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=partial(_unplay, counts=counts), now=now)


def _open(
    fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition, *, counts: Counting
) -> Changes:
    fixture = find_fixture(fixture_id)
    check_status(competition)
    if fixture.correction is not None:
        raise NothingToTakeBack(_("The result of this match was corrected. Take that back first."))
    if fixture.is_annulled or fixture.counted_at is None or fixture.ending not in DECIDED:
        raise NothingToTakeBack(_("The match was not ended by a decision."))
    if (gone := _who_forfeited_by_leaving(fixture)) is not None:
        raise EntryOver(
            _("%(entrant)s has left, and so forfeits this match. Take back the withdrawal instead.") % {"entrant": gone}
        )
    if counts is Counting.NEW:
        return keep_new(competition=competition, fixture=fixture, actor=actor, reason=reason, now=now)
    said = say_rivals(fixture)
    _log("decision-undone", fixture, competition=competition, actor=actor, reason=reason, now=now)
    changes = open_again(competition=competition, fixtures=[fixture], now=now)
    changes.more += said
    return changes


def _restore(
    fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition, *, counts: Counting
) -> Changes:
    fixture = find_fixture(fixture_id)
    check_status(competition)
    # On a ladder the place of a replay says only what it replays.
    is_aside = fixture.draw_place and fixture.round_id is not None
    if not fixture.is_annulled or fixture.annulment != Annulment.DECIDED or is_aside:
        raise NothingToTakeBack(_("No organiser has annulled this match."))
    if counts is Counting.NEW:
        return keep_new(competition=competition, fixture=fixture, actor=actor, reason=reason, now=now)
    said = say_rivals(fixture)
    _log("annulment-undone", fixture, competition=competition, actor=actor, reason=reason, now=now)
    changes = count_again(competition=competition, fixtures=[fixture], now=now)
    changes.more += said
    return changes


def _unplay(
    fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition, *, counts: Counting
) -> Changes:
    old = replayed_by(find_fixture(fixture_id))
    check_status(competition)
    if old is None or old.replay is None:
        raise NothingToTakeBack(_("This match is not being played again."))
    if old.replay.replay_id is not None:
        raise NothingToTakeBack(_("This match was played again more than once. Take back the last replay first."))
    new = find_fixture(old.replay.pk)
    if new.is_annulled and (new.annulment or new.round_id is not None):
        raise NothingToTakeBack(_("The match that is played instead counts no more. Take back first what annulled it."))
    if counts is Counting.NEW:
        return keep_new(competition=competition, fixture=old, actor=actor, reason=reason, now=now)
    said = say_rivals(old)
    _log("replay-undone", old, competition=competition, actor=actor, reason=reason, now=now)
    # On a ladder it has gone already where it was one game too many.
    instead = [each for each in (new, *replays_after(new)) if not each.is_annulled]
    changes = annul(competition=competition, fixtures=instead, now=now)
    restored = list(Fixture.objects.filter(replay=new).select_related(*RELATED).order_by("leg", "pk"))
    back = count_again(competition=competition, fixtures=restored, now=now)
    changes.counted, changes.reopened, changes.more = back.counted, back.reopened, said
    return changes


def _log(
    action: str, fixture: Fixture, *, competition: Competition, actor: Player | None, reason: str, now: datetime
) -> None:
    """Log what is taken back of a match; where nobody sits at a board of teams, their captains hear of it."""
    log_action(
        competition=competition,
        action=action,
        actor=actor,
        about=fixture,
        reason=reason,
        now=now,
        concerns=() if fixture.seated else (fixture.yellow, fixture.red),
    )


def _who_forfeited_by_leaving(fixture: Fixture) -> Entry | None:
    if fixture.ending != Ending.FORFEIT or fixture.points is None:
        return None
    losers = [fixture.yellow] if fixture.points.yellow < fixture.points.red else [fixture.red]
    if fixture.points.yellow == fixture.points.red:
        losers = [fixture.yellow, fixture.red]
    return next((each for each in losers if not each.is_in), None)
