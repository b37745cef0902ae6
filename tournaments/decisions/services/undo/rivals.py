"""Two matches of the same two, of which only one can count: one that would be back, and one that has begun since."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from matches.models import Actor, Move
from players.models import Player
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.models import Annulment, Competition, Fixture
from tournaments.office.services.log import log_action
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.consequences import annul_matches, name_match
from tournaments.rounds.services.fixtures import OPEN


class Counting(StrEnum):
    """Which of two rivals counts."""

    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two matches in each of which somebody has moved: the old one, which would be back, and the new one."""

    old: Fixture
    new: Fixture


def replayed_by(fixture: Fixture) -> Fixture | None:
    """Return the fixture that is played again, whether it is this one, or this one is its replay."""
    if fixture.is_annulled and fixture.replay_id is not None:
        return fixture
    return Fixture.objects.select_related("replay", *RELATED).filter(replay=fixture, leg=fixture.leg).first()


def find_rivals(fixture: Fixture) -> Rivals | None:
    """Return which two would rival each other if what a match was ended or annulled by were taken back."""
    old = replayed_by(fixture) or fixture
    new = old.replay or _met_again(old)
    if new is None or not (old.counted_at is not None or _has_moves(old)):
        return None
    counting = played_fixtures(competition_id=old.competition_id).filter(pk=new.pk).select_related(*RELATED)
    found = counting.first()
    return None if found is None else Rivals(old, found)


def keep_new(
    *, competition: Competition, fixture: Fixture, actor: Player | None, reason: str, now: datetime
) -> Changes:
    """Let the new match count, and the old one be annulled by that. Raises ``NothingToTakeBack`` where there is none.

    What it was ended by is in force again once the annulment is taken back; a replay can still be taken back.
    """
    rivals = find_rivals(fixture)
    if rivals is None:
        raise NothingToTakeBack(_("No new match has been played instead of this one."))
    old, new = rivals.old, rivals.new
    line = log_action(competition=competition, action="annulled", actor=actor, about=old, reason=reason, now=now)
    if not old.is_annulled:
        annul_matches(fixtures=[old], now=now)
        Fixture.objects.filter(pk=old.pk).update(is_annulled=True, annulment=Annulment.DECIDED)
    Fixture.objects.filter(pk=old.pk).update(cause=line)
    Fixture.objects.filter(replay=new, is_annulled=True).update(cause=line)
    given = {"new": name_match(new), "old": name_match(old)}
    return Changes(meant=[old], more=[_("%(new)s counts. %(old)s is annulled.") % given])


def say_rivals(fixture: Fixture) -> list[str]:
    """Return a sentence that names both, none where nothing rivals."""
    rivals = find_rivals(fixture)
    if rivals is None:
        return []
    return [
        _("Both %(old)s and %(new)s have been played. Choose which counts.")
        % {"old": name_match(rivals.old), "new": name_match(rivals.new)}
    ]


def _met_again(old: Fixture) -> Fixture | None:
    """Return the game of a ladder that goes on between the same two, where an older one would go on, too."""
    if old.round_id is not None or (old.is_annulled and old.counted_at is not None):
        return None
    both = [old.yellow_id, old.red_id]
    return Fixture.objects.filter(OPEN, group=old.group_id, yellow__in=both, red__in=both).exclude(pk=old.pk).first()


def _has_moves(fixture: Fixture) -> bool:
    moves = Move.objects.filter(match=fixture.match_id, by_itself=False)
    return fixture.match_id is not None and moves.exclude(actor=Actor.CHANCE).exists()
