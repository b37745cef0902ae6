"""Groups that are played in memory, by what a format says of their record: slow and obvious, without a database.

A ``Play`` stands for the service that moves competitions on. It publishes the rounds and starts the matches that
follow from the record, and lets happen to it what players and organisers do. It knows flows and orders, no format.
"""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from formats.pairing import challenge, ladder
from formats.pairing.legs import REPLAY_LEGS
from formats.protocol import Absence, DrawnRound, Flow, Game, HeldRound, Order, Record, Seat
from formats.ties import resolve_ties
from rules_engine.values import BySide, Ending

NEW_YEAR = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

FEW = 10
"""Of so many entrants at most every round is asked for twice."""

RESULTS = [(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (1, 4), (0, 5)]


class Play:
    """A group that is being played; ``games`` are by their numbers."""

    def __init__(self, format_, options, size, random: Random, *, in_rounds=False, seed=1):
        self.format, self.options, self.random, self.seed, self.in_rounds = format_, options, random, seed, in_rounds
        self.names = (f"player-{number}" for number in count(1))
        self.numbers = count(1)
        self.seats: list[Seat] = []
        self.games: dict[int, Game] = {}
        self.rounds: dict[int, HeldRound] = {}
        self.drawn: list[DrawnRound] = []
        self.repeats: set[int] = set()
        self.started_at: dict[int, datetime] = {}
        self.now = NEW_YEAR
        self.came_late = False
        for _ in range(size):
            self._seat(entered_at=None)
        self.advance()

    @property
    def record(self) -> Record:
        """The record that the service would read of the group now."""
        return Record(
            tuple(self.seats),
            tuple(self.games.values()),
            tuple(self.rounds.values()),
            began_at=NEW_YEAR,
            in_rounds=self.in_rounds,
            as_of=self.now,
        )

    @property
    def open_games(self) -> list[Game]:
        return [game for game in self.games.values() if not game.is_counted]

    @property
    def counted_games(self) -> list[Game]:
        return [game for game in self.games.values() if game.is_counted]

    @property
    def is_over(self) -> bool:
        return self.format.is_over(self.record, self.options)

    @property
    def places(self):
        return self.format.places(self.record, self.options, self.format.tiebreaks)

    def seats_taken(self) -> list[Seat]:
        return [seat for seat in self.seats if not seat.is_empty]

    def pass_time(self, by=HOUR):
        self.now += by

    # What follows

    def advance(self):
        """Begin everything that can begin now; what an empty seat should play is forfeited at once."""
        begin = {Flow.ROUNDS: self._publish, Flow.TIES: self._begin_ties, Flow.CONTINUOUS: self._start_games}
        while begin[self.format.flow]():
            self._forfeit_empty()

    def _publish(self) -> bool:
        for number, held in self.rounds.items():
            games = [game for game in self.games.values() if game.round == number]
            ended_at = (held.ended_at or self.now) if all(game.is_counted for game in games) else None
            self.rounds[number] = replace(held, ended_at=ended_at)
        rounds = self.format.next_rounds(self.record, self.options, self.seed)
        if len(self.seats) <= FEW:
            assert rounds == self.format.next_rounds(self.record, self.options, self.seed), "same record, other rounds"
        self.drawn += rounds
        for each in rounds:
            assert each.number not in self.rounds, "a round is published twice"
            self.rounds[each.number] = HeldRound(
                each.number, started_at=self.now, byes=each.byes, asked_byes=each.asked_byes
            )
            for pair in each.pairs:
                number = self._start(Game(each.number, pair.sides))
                self.repeats |= {number} if pair in each.repeats else set()
        return bool(rounds)

    def _begin_ties(self) -> bool:
        ties = self.format.draw_ties(len(self.seats), self.options)
        resolved = resolve_ties(ties, self.record, legs=self.options.legs, replays=self.options.replays)
        strays = [game.number for tie in resolved for game in tie.strays]
        for number in strays:
            del self.games[number]
        begun = self._begin_round(resolved) if self.in_rounds else False
        due = [] if strays else [(tie.drawn.key, leg) for tie in resolved for leg in tie.legs_due]
        for key, leg in due:
            self._start(Game(key.round, leg.sides, tie=key, leg=leg.leg))
        return bool(strays or begun or due)

    def _begin_round(self, resolved) -> bool:
        """Begin the first round of ties that has not begun, if those before it have ended."""
        for number in sorted({tie.drawn.key.round for tie in resolved}):
            if number not in self.rounds:
                self.rounds[number] = HeldRound(number, started_at=self.now)
                return True
            if not all(tie.is_settled for tie in resolved if tie.drawn.key.round == number):
                return False
        return False

    def _start_games(self) -> bool:
        start = {Order.POSITIONS: self._start_challenges, Order.RESULTS: self._pair_neighbours}
        start[self.format.order]()
        return False

    def _start_challenges(self):
        order = [row.entrant for row in self.places if row.place is not None]
        challenges = {
            number: challenge.Challenge(game.challenger, self._opponent(game, game.challenger))
            for number, game in self.games.items()
        }
        state = challenge.ChallengeLadder(
            order,
            running=[challenges[game.number] for game in self.open_games],
            last_met={frozenset(pair): at for pair, at in self._last_met().items()},
            limits=challenge.Limits(
                self.options.max_outgoing, self.options.max_incoming, timedelta(days=self.options.rematch_days)
            ),
        )
        for each in state.start_games(self.now):
            self._start(Game(0, BySide(each.challenger, each.opponent), challenger=each.challenger))

    def _pair_neighbours(self):
        taken = {seat.entrant for seat in self.seats_taken()}
        pause = timedelta(days=self.options.rematch_days)
        barred: dict[str, set[str]] = {}
        for game in self.open_games:
            barred.setdefault(game.sides.yellow, set()).add(game.sides.red)
        for pair, at in self._last_met().items():
            if self.now < at + pause:
                one, other = pair
                barred.setdefault(one, set()).add(other)
        running = Counter(entrant for game in self.open_games for entrant in game.sides)
        seats = [ladder.Seat(row.entrant, running[row.entrant]) for row in self.places if row.entrant in taken]
        for upper, lower in ladder.pair_ladder(seats, barred, games_each=self.options.games_each):
            self._start(Game(0, BySide(upper, lower)))

    def _last_met(self) -> dict[frozenset[str], datetime]:
        met: dict[frozenset[str], datetime] = {}
        for game in self.counted_games:
            pair = frozenset(game.sides)
            met[pair] = max(game.ended_at, met.get(pair, game.ended_at))
        return met

    # What players do

    def finish(self, game: Game, points=None, goals=None):
        """Let a match end with this result, or any other."""
        yellow, red = points or self.random.choice(RESULTS)
        goals = goals or (self.random.randrange(4), self.random.randrange(4))
        self._count(game, BySide(yellow, red), BySide(*goals), Ending.NORMAL_TIME)

    def forfeit(self, game: Game):
        """Let one side lose without play, or both."""
        loser = self.random.choice([*game.sides, None])
        self._count(game, self._points_without(game, {loser} if loser else set(game.sides)), BySide(0, 0),
                    Ending.FORFEIT, loser)  # fmt: skip

    def withdraw(self, entrant):
        """Empty a seat; what is open there is lost."""
        self._change_seat(entrant, absences=(*self._seat_of(entrant).absences, Absence(self.now)))
        self._forfeit_empty()

    def come_back(self, entrant):
        """Let somebody who has left sit down again."""
        *before, last = self._seat_of(entrant).absences
        self._change_seat(entrant, absences=(*before, replace(last, until=self.now)))

    def enter_late(self):
        """Seat one more player."""
        self.came_late = True
        first_round = max(self.rounds, default=0) + 1 if self.format.flow is Flow.ROUNDS else 1
        self._seat(entered_at=self.now, first_round=first_round)

    def ask_for_bye(self, entrant):
        """Sit out the next round."""
        asked = self._seat_of(entrant).asked_byes | {max(self.rounds, default=0) + 1}
        self._change_seat(entrant, asked_byes=asked)

    # What organisers do

    def replace(self, entrant):
        """Give the seat, and all that was played there, to somebody else."""
        seat, other = self._seat_of(entrant), next(self.names)
        absences = tuple(replace(each, until=each.until or self.now) for each in seat.absences)
        self._change_seat(entrant, entrant=other, absences=absences)

        def rename(name):
            return other if name == entrant else name

        for number, game in self.games.items():
            self.games[number] = replace(
                game,
                sides=game.sides.map(rename),
                forfeited_by=rename(game.forfeited_by),
                challenger=rename(game.challenger),
            )
        for number, held in self.rounds.items():
            byes, asked = tuple(map(rename, held.byes)), tuple(map(rename, held.asked_byes))
            self.rounds[number] = replace(held, byes=byes, asked_byes=asked)

    def annul(self, game: Game):
        """Let a match count for nothing; replays that followed from it go too."""
        del self.games[game.number]
        if game.tie is not None:
            pair = max(0, -(-(game.leg - self.options.legs) // REPLAY_LEGS))
            last = self.options.legs + pair * REPLAY_LEGS
            for other in list(self.games.values()):
                if other.tie == game.tie and other.leg > last:
                    del self.games[other.number]

    def play_again(self, game: Game):
        """Annul a match and start it anew."""
        self.annul(game)
        again = Game(game.round, game.sides, tie=game.tie, leg=game.leg, challenger=game.challenger, again_at=self.now)
        number = self._start(again)
        self.repeats |= {number} if game.number in self.repeats else set()
        self._forfeit_empty()

    # Details

    def _seat(self, **about):
        seed = len(self.seats) + 1
        self.seats.append(Seat(next(self.names), seed, lot=self.random.getrandbits(32), **about))

    def _seat_of(self, entrant) -> Seat:
        return next(seat for seat in self.seats if seat.entrant == entrant)

    def _change_seat(self, entrant, /, **about):
        self.seats = [replace(seat, **about) if seat.entrant == entrant else seat for seat in self.seats]

    def _start(self, game: Game) -> int:
        number = next(self.numbers)
        self.games[number] = replace(game, number=number)
        self.started_at[number] = self.now
        return number

    def _count(self, game: Game, points, goals, ending, forfeited_by=None):
        self.games[game.number] = replace(
            game, points=points, goals=goals, ending=ending, ended_at=self.now, forfeited_by=forfeited_by
        )

    def _forfeit_empty(self):
        empty = {seat.entrant for seat in self.seats if seat.is_empty}
        for game in self.open_games:
            if lost := empty & set(game.sides):
                loser = next(iter(lost)) if len(lost) == 1 else None
                self._count(game, self._points_without(game, lost), BySide(0, 0), Ending.FORFEIT, loser)

    @staticmethod
    def _points_without(game: Game, lost) -> BySide[int]:
        if len(lost) == 2:
            return BySide(0, 0)
        return BySide(0, 5) if game.sides.yellow in lost else BySide(5, 0)

    @staticmethod
    def _opponent(game: Game, entrant):
        return game.sides.red if game.sides.yellow == entrant else game.sides.yellow


ACTS = ("withdraw", "come_back", "enter_late", "ask_for_bye", "replace", "annul", "play_again", "forfeit")


def disturb(play: Play):
    """Let something happen that is no result, if the format allows what was chosen by chance."""
    random, format_ = play.random, play.format
    allowed = format_.abilities(play.options)
    act = random.choice(ACTS)
    taken = [seat.entrant for seat in play.seats_taken()]
    empty = [seat.entrant for seat in play.seats if seat.is_empty]
    if act == "withdraw" and taken:
        play.withdraw(random.choice(taken))
    elif act == "come_back" and empty and format_.flow is Flow.CONTINUOUS:
        play.come_back(random.choice(empty))
    elif act == "enter_late" and allowed.late_entry and not play.in_rounds and not play.is_over:
        play.enter_late()
    elif act == "ask_for_bye" and allowed.byes_on_request and taken:
        play.ask_for_bye(random.choice(taken))
    elif act == "replace" and allowed.replacement:
        play.replace(random.choice(play.seats).entrant)
    elif act == "annul" and format_.flow is not Flow.TIES and play.games:
        play.annul(random.choice(list(play.games.values())))
    elif act == "play_again" and allowed.replays and play.counted_games:
        play.play_again(random.choice(play.counted_games))
    elif act == "forfeit" and play.open_games:
        play.forfeit(random.choice(play.open_games))


def play_through(play: Play, *, disturbances=0, days=10, calmly=False):
    """Play a group to its end, one without an end for some days.

    ``calmly`` lets all matches that are open end together. Fails where something that has an end does not come to it.
    """
    has_end = play.format.outline(len(play.seats), play.options).rounds is not None
    for _ in range(5000):
        if has_end and not play.open_games and not disturbances:
            break
        if not has_end and play.now > NEW_YEAR + days * DAY:
            break
        assert not (has_end and play.open_games and play.is_over), "it is over while a match goes on"
        play.pass_time(HOUR if has_end else DAY if calmly else DAY / 4)
        if disturbances and play.random.random() < 0.3:
            disturbances -= 1
            disturb(play)
        elif calmly:
            for game in play.open_games:
                play.finish(game)
        elif play.open_games:
            play.finish(play.random.choice(play.open_games))
        play.advance()
    else:
        raise AssertionError("it does not come to an end")
    assert play.is_over is has_end
