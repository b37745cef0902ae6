"""Let results be open again, or count again, or count no more. Callers hold the competition's lock."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from formats.pairing.legs import REPLAY_LEGS
from formats.protocol import Order
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.rounds import let_group_go_on, let_rounds_go_on, let_rounds_wait
from tournaments.models import Competition, Entry, EntryStatus, Fixture, PlaceChange
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.consequences import name_first
from tournaments.rounds.services.fixtures import forfeit_without_play, set_up_instead, start_fixtures
from tournaments.rounds.services.going_on import let_match_go_on, sides_of
from tournaments.rounds.services.set_aside import NO_RESULT, set_aside
from tournaments.running.services.ladder_room import make_room
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.running.services.settlement import settle_competition
from tournaments.tables.services.ratings import count_rated_again

_COUNTS = {
    **NO_RESULT,
    "is_in_history": False,
    "is_annulled": False,
    "annulment": "",
    "cause": None,
    "draw_place": "",
    "replay": None,
}
"""The columns of a fixture that counts, and has no result yet."""


def open_again(
    *, competition: Competition, fixtures: Sequence[Fixture], now: datetime, since: datetime | None = None
) -> Changes:
    """Let decided matches go on from where they stood, or be played that had not begun, and the competition with them.

    With ``since`` they were lost on time after that, and go on with the time that was left then. Where somebody else
    has taken over a place since, the match begins anew. Matches that followed from the results inside of ties are
    annulled. A player who has left in the meantime forfeits. Fixtures are read with ``RELATED``.
    """
    if not fixtures:
        return Changes()
    groups = {each.group_id: each.group for each in fixtures}.values()
    for group in groups:
        let_group_go_on(competition=competition, group=group)
    if competition.is_endless:
        fixtures = _call_back(competition, fixtures)
    _forget_places(competition, fixtures)
    _annul_replays_after(fixtures, now)
    opened = [_open(competition, each, now, since) for each in fixtures]
    let_rounds_go_on(rounds={each.round_id for each in opened if each.round_id is not None}, now=now)
    for group in groups:
        if not group.stage.is_bracket:
            # No match begins in a round that waits now.
            let_rounds_wait(group=group, now=now)
    if competition.started_at is not None:
        settle_competition(competition=competition, until=now, now=now)
    fresh = list(Fixture.objects.filter(pk__in=[each.pk for each in opened]).select_related(*RELATED).order_by("pk"))
    if competition.started_at is None:
        return Changes(reopened=fresh)
    alone = [each for each in fresh if not (each.yellow.is_in and each.red.is_in)]
    forfeit_without_play(competition=competition, fixtures=alone, now=now)
    waiting = [each for each in fresh if each.match_id is None and (each.round is None or each.round.started_at)]
    start_fixtures(fixtures=waiting, competition=competition, now=now)
    changes = Changes(reopened=fresh)
    if competition.is_endless:
        changes.lost, changes.withdrawn = make_room(competition=competition, fixtures=fresh, now=now)
    return changes


def forget_results(*, fixtures: QuerySet[Fixture]) -> None:
    """Let annulled fixtures have no result, as what ended them is taken back: they go on if they count again."""
    fixtures.filter(is_annulled=True).update(**NO_RESULT)


def check_uncorrected(*, fixtures: Iterable[Fixture]) -> None:
    """Raise ``NothingToTakeBack`` where results were corrected: without what ended them, there was none to correct."""
    if corrected := [each for each in fixtures if each.correction is not None]:
        raise NothingToTakeBack(
            _("Results were corrected since: %(names)s. Take that back first.") % {"names": name_first(corrected)}
        )


def count_again(*, competition: Competition, fixtures: Iterable[Fixture], now: datetime) -> Changes:
    """Let annulled results count again; what has none goes on, or is to be played."""
    annulled = list(fixtures)
    counted = [each for each in annulled if each.counted_at is not None]
    for each in counted:
        each.is_annulled, each.annulment, each.draw_place = False, "", ""
        each.cause = each.replay = None
        each.save(update_fields=["is_annulled", "annulment", "cause", "draw_place", "replay"])
        if each.match_id is not None:
            count_rated_again(match_id=each.match_id)
    going_on = [each for each in annulled if each.counted_at is None]
    changes = open_again(competition=competition, fixtures=going_on, now=now)
    changes.counted = counted
    return changes


def annul(*, competition: Competition, fixtures: Collection[Fixture], now: datetime) -> Changes:
    """Let fixtures count no more. Of ties, what is lost by that is found by comparing them."""
    keys = [each.pk for each in fixtures if each.tie_id is None]
    played = set(played_fixtures(competition_id=competition.pk).filter(pk__in=keys).values_list("pk", flat=True))
    set_aside(fixtures=fixtures, now=now)
    single = [each for each in fixtures if each.tie_id is None]
    return Changes(
        lost=[each for each in single if each.pk in played],
        withdrawn=[each for each in single if each.pk not in played and each.match_id is not None],
    )


def replays_after(fixture: Fixture) -> list[Fixture]:
    """Return the tie's fixtures that were played only because of the result of this one, in order."""
    if fixture.tie_id is None:
        return []
    regular = fixture.group.stage.chosen_options.legs
    pair = max(0, -(-(fixture.leg - regular) // REPLAY_LEGS))
    last_of_pair = regular + pair * REPLAY_LEGS
    later = Fixture.objects.filter(tie=fixture.tie_id, is_annulled=False, leg__gt=last_of_pair)
    return list(later.order_by("leg"))


def _open(competition: Competition, fixture: Fixture, now: datetime, since: datetime | None) -> Fixture:
    """Return the fixture without its result, or a new one where its match was played by somebody else."""
    match = fixture.match
    Fixture.objects.filter(pk=fixture.pk).update(**_COUNTS)
    if match is not None and (match.yellow_id, match.red_id) != tuple(fixture.player_ids):
        set_aside(fixtures=[fixture], now=now)
        return set_up_instead(fixture, now=now)
    let_match_go_on(fixture=fixture, competition=competition, now=now, since=since)
    return fixture


def _annul_replays_after(fixtures: Sequence[Fixture], now: datetime) -> None:
    opened = {each.pk for each in fixtures}
    later = {each.pk: each for fixture in fixtures for each in replays_after(fixture) if each.pk not in opened}
    set_aside(fixtures=later.values(), now=now)


def _call_back(competition: Competition, fixtures: Iterable[Fixture]) -> list[Fixture]:
    """Let entrants of a ladder wait for these games again who have left since: nobody leaves before their last game.

    Return the games, read anew.
    """
    games = Fixture.objects.filter(pk__in=[each.pk for each in fixtures]).select_related(*RELATED)
    for entry in (entry for fixture in fixtures for _side, entry in sides_of(fixture)):
        if entry.is_in or entry.left_at is None or entry.left_as:
            continue
        PlaceChange.objects.filter(seat__entry=entry, match=None, place=None, changed_at=entry.left_at).delete()
        Entry.objects.filter(pk=entry.pk).update(status=EntryStatus.ON_HOLD, left_at=None)
        note_on_ladder(entries=[entry])
        store_numbers(competition_id=competition.pk)
    return list(games.order_by("pk"))


def _forget_places(competition: Competition, fixtures: Iterable[Fixture]) -> None:
    """Take results out of the history of places, which knows only those that count."""
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        return
    for fixture in fixtures:
        if fixture.finished_at is None or not fixture.is_in_history:
            continue
        of_both = PlaceChange.objects.filter(
            seat__group=fixture.group_id,
            seat__entry__in=[fixture.yellow_id, fixture.red_id],
            match=fixture.match_id,
            changed_at=fixture.finished_at,
        )
        # One row each: an entrant who forfeits several at one moment that have no match has one for each of them.
        kept = dict(of_both.order_by("-pk").values_list("seat", "pk"))
        PlaceChange.objects.filter(pk__in=kept.values()).delete()
