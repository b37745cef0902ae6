"""A challenge ladder that is read whole: the second, simple implementation of what is read of a part of it."""

from datetime import datetime, timedelta

from formats.pairing.challenge import Challenge, ChallengeLadder, Limits
from tournaments.models import Competition, Entry, EntryStatus, Fixture
from tournaments.records.challenges import CHOOSING, positions_of, read_challenge_ladder
from tournaments.running.services.ladder_pairings import Game, _choose


def whole_ladder(ladder: Competition, now: datetime) -> ChallengeLadder[int]:
    """Return the ladder as it stands, by entry ids, with everybody on it and all games that matter."""
    options = ladder.first_stage.chosen_options
    on_ladder = Entry.objects.filter(competition=ladder.pk, seats__position__isnull=False)
    entries = list(on_ladder.select_related("player").order_by("seats__position"))
    running: list[Challenge[int]] = []
    last_met: dict[frozenset[int], datetime] = {}
    for game in Fixture.objects.filter(competition=ladder.pk, is_annulled=False).order_by("finished_at"):
        if game.finished_at is None:
            opponent = game.red_id if game.challenger_id == game.yellow_id else game.yellow_id
            running.append(Challenge(game.challenger_id, opponent))
        elif game.finished_at > now - timedelta(days=options.rematch_days):
            last_met[frozenset((game.yellow_id, game.red_id))] = game.finished_at
    return ChallengeLadder(
        [entry.pk for entry in entries],
        running=running,
        last_met=last_met,
        paused=[entry.pk for entry in entries if not gets_games(entry)],
        limits=Limits(options.max_outgoing, options.max_incoming, timedelta(days=options.rematch_days)),
    )


def gets_games(entry: Entry) -> bool:
    return entry.status == EntryStatus.ACTIVE and entry.waits_since is None and entry.player.is_active


def choose_on_whole_ladder(ladder: Competition, now: datetime, limit: int) -> tuple[list[Game], datetime | None]:
    """Return which challenges start by themselves, and when time alone lets more start if these are all."""
    state = whole_ladder(ladder, now)
    by = ladder.first_stage.chosen_options.challenges_by
    if by == "players":
        return [], None
    choosing = {}
    for entry in Entry.objects.filter(pk__in=state.counted) if by == "in-time" else []:
        ends = [game.finished_at for game in entry.challenges.filter(is_annulled=False) if game.finished_at]
        until = max([ladder.started_at, entry.acted_at, *ends]) + ladder.time_control.bank / CHOOSING
        if until > now:
            choosing[entry.pk] = until
    games = [(each.challenger, each.opponent, each.challenger) for each in state.start_games(now, choosing=choosing)]
    return games[:limit], state.next_start(choosing)


def assert_that_a_part_says_the_same(ladder: Competition, now: datetime) -> None:
    """Compare whom everybody can challenge, why not, and which games start, with the ladder that is read whole."""
    whole = whole_ladder(ladder, now)
    entries = list(Entry.objects.filter(competition=ladder.pk).values_list("pk", flat=True))
    for number, own in enumerate(entries):
        part = read_challenge_ladder(ladder, now, challengers=positions_of([own]), opponents=entries)
        alone = read_challenge_ladder(ladder, now, challengers=positions_of([own]))
        if own in whole.position_of:
            assert alone.opponents_of(own) == part.opponents_of(own) == whole.opponents_of(own)
        for other in entries:
            assert part.reason_not(own, other, now) == whole.reason_not(own, other, now)
        other = entries[7 * number % len(entries)]
        few = read_challenge_ladder(ladder, now, challengers=positions_of([own]), opponents=[other])
        assert few.reason_not(own, other, now) == whole.reason_not(own, other, now)
    for limit in (2, 500):
        games, later = _choose(ladder, now, limit)
        of_whole, later_of_whole = choose_on_whole_ladder(ladder, now, limit)
        assert games == of_whole
        if len(games) < limit:
            assert later == later_of_whole
