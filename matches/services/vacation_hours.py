"""Days of vacation: spent automatically when a clock runs out, and credited to the player's clocks.

A day lasts 24 hours from its start, and gives 24 hours to each clock of the player that runs meanwhile, once. It is
dated by the clocks alone, so it does not matter when this is called.
"""

from bisect import insort
from collections import Counter, defaultdict
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q

from database.isolation import attempt_each
from matches import clock
from matches.models import STOOD_STILL, ClockExtension, ExtensionKind, Match
from matches.selectors.clocks import clocks_on_vacation, lock_at_once, players_to_give_hours
from matches.services import progress
from matches.services.after_commit import notify_changed
from matches.services.site_pauses import give_back
from players.models import Player, VacationDay
from players.selectors import days_of, starting_in
from players.services import lock_vacation


def take_vacation(*, player_id: int, now: datetime) -> None:
    """Credit a player's clocks with the days that have begun, and spend days on those that have run out.

    A day is spent at the deadline of the clock that ran out first, if the player has one left in that year, and the
    match and its competition allow it; again and again, until no clock that can be saved is overdue. Days that are
    planned ahead are not touched before they begin. Read the match again after it: it may have been saved.
    """
    with transaction.atomic():
        player = lock_vacation(player_id=player_id)
        matches = lock_at_once(find := partial(clocks_on_vacation, player))
        late = [match.pk for match in matches if match.is_late(now)]
        if late and give_back(match_ids=late, now=now):
            matches = lock_at_once(find)
        if matches and not player.is_computer:
            _Vacation(player, matches, now).take()


def give_days(*, now: datetime) -> int:
    """Give the hours of the days that last now to the clocks that have not had them; return to how many players.

    Each player has their own transaction, so that an error for one does not stop the others.
    """

    def give(player_id: int) -> int:
        take_vacation(player_id=player_id, now=now)
        return 1

    return sum(attempt_each(list(players_to_give_hours(now)), give, event="vacation_not_given", key="player_id"))


class _Vacation:
    """The days of one player, and their running clocks in matches that allow vacation, all locked."""

    def __init__(self, player: Player, matches: list[Match], now: datetime) -> None:
        self.player = player
        self.matches = matches
        self.now = now
        begun = min(match.turn_started_at for match in matches)
        # In the order of their starts: the hours of one day may make the next one due, but never an earlier one.
        self.days = list(days_of(player=player).filter(starts_at__gt=begun - clock.DAY, starts_at__lte=now))
        self.left: dict[int, int] = {}
        self.had = set(
            ClockExtension.objects.filter(match__in=matches, vacation_day__in=self.days).values_list(
                "match_id", "vacation_day_id"
            )
        )
        self.used = self._days_used()
        self.running_since = self._running_since()
        self.extensions: list[ClockExtension] = []

    def take(self) -> None:
        """Credit due days, spend the days that are needed, and store both."""
        running = self.matches
        self._give_hours()
        while overdue := [match for match in running if match.is_late(self.now)]:
            first = min(overdue, key=lambda match: (match.deadline, match.pk))
            if self._may_use_a_day(first) and self._spend_day(first):
                self._give_hours()
            else:
                running = [match for match in running if match is not first]
        self._store()

    def _store(self) -> None:
        """Store what the clocks were given: one UPDATE for all that got the same."""
        days = Counter(extension.match_id for extension in self.extensions)
        alike: dict[tuple[str, int], list[int]] = defaultdict(list)
        for match in self.matches:
            if match.pk in days:
                alike[match.side, days[match.pk]].append(match.pk)
        for (side, number), match_ids in alike.items():
            bank = f"bank_{side}"
            more = {bank: F(bank) + number * (clock.DAY // clock.MILLISECOND)}
            Match.objects.filter(pk__in=match_ids).update(
                **more, deadline=F("deadline") + number * clock.DAY, extensions=F("extensions") + number
            )
        ClockExtension.objects.bulk_create(self.extensions)
        if days:
            notify_changed([*days])

    def _days_used(self) -> dict[int, set[int]]:
        """Return the days that were used in matches with a limit, by what shares the limit."""
        limited = [match for match in self.matches if match.vacation_limit is not None]
        shared = {match.competition for match in limited if match.competition is not None}
        gave = ClockExtension.objects.filter(
            Q(match__in=limited) | Q(match__competition__in=shared), vacation_day__player=self.player
        )
        used: dict[int, set[int]] = defaultdict(set)
        for extension in gave.select_related("match"):
            used[_sharing(extension.match)].add(extension.vacation_day_id or 0)
        return used

    def _running_since(self) -> dict[int, datetime]:
        """Return since when each clock runs: since its turn started, or since the last pause."""
        pauses = ClockExtension.objects.filter(match__in=self.matches, kind__in=STOOD_STILL).order_by()
        resumed = dict(pauses.values_list("match_id").annotate(Max("granted_at")))
        return {match.pk: max(match.turn_started_at, resumed.get(match.pk, match.created_at)) for match in self.matches}

    def _give_hours(self) -> None:
        for day in self.days:
            for match in self.matches:
                if self._is_owed(day, match):
                    self._extend(match, day)

    def _is_owed(self, day: VacationDay, match: Match) -> bool:
        """Return whether the clock ran while the day lasted and has not had its hours."""
        since = self.running_since[match.pk]
        if match.deadline is None or not since - clock.DAY < day.starts_at <= match.deadline:
            return False
        return (match.pk, day.pk) not in self.had and self._may_use(match, day)

    def _may_use_a_day(self, match: Match) -> bool:
        limit = match.vacation_limit
        return limit is None or len(self.used[_sharing(match)]) < limit

    def _may_use(self, match: Match, day: VacationDay) -> bool:
        return day.pk in self.used[_sharing(match)] or self._may_use_a_day(match)

    def _spend_day(self, match: Match) -> bool:
        """Spend a day at the deadline of an overdue match, unless none is left in that year."""
        at = match.deadline
        if at is None or self._left_in(at.year) <= 0:
            return False
        self.left[at.year] -= 1
        day = VacationDay.objects.create(player=self.player, starts_at=at, is_planned=False, noted_at=self.now)
        insort(self.days, day, key=lambda each: each.starts_at)
        return True

    def _left_in(self, year: int) -> int:
        if year not in self.left:
            taken = days_of(player=self.player).filter(starting_in(year)).count()
            self.left[year] = settings.VACATION_DAYS - taken
        return self.left[year]

    def _extend(self, match: Match, day: VacationDay) -> None:
        progress.add_day(match)
        match.extensions += 1
        self.had.add((match.pk, day.pk))
        self.used[_sharing(match)].add(day.pk)
        self.extensions.append(
            ClockExtension(
                match=match,
                kind=ExtensionKind.VACATION,
                ply=match.ply,
                side=match.side,
                milliseconds=clock.DAY // clock.MILLISECOND,
                vacation_day=day,
                granted_at=self.now,
            )
        )


def _sharing(match: Match) -> int:
    """Return what shares the match's limit: its competition, or a match without one alone, as a negative id."""
    return -match.pk if match.competition is None else match.competition
