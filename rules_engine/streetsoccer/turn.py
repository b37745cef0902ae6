"""The options of one player in a turn: where a walk can end, and where a kick can (S7 to S17, S19, S20)."""

from dataclasses import dataclass

from rules_engine.streetsoccer.enclosure import Surroundings, open_balls
from rules_engine.streetsoccer.kick import kick_ends
from rules_engine.streetsoccer.pitch import KEEPER_SPACES, PENALTY_AREAS, PITCH, WALKABLE
from rules_engine.streetsoccer.shift import crowds_area, shift_spaces, stays
from rules_engine.streetsoccer.walk import walk
from rules_engine.values import Side

NO_KEEPER_SPACES = WALKABLE & ~(KEEPER_SPACES.yellow | KEEPER_SPACES.red)


def spaces_of(players: tuple[int, ...]) -> int:
    """Return the set of the spaces where these players stand."""
    spaces = 0
    for player in players:
        spaces |= 1 << player
    return spaces


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a player: the set of the walks' ends, of the kicks' ends, and whether a kick can score."""

    walks: int
    kicks: int
    scores: bool


class Situation:
    """A position of which one side is to move, as sets of spaces.

    ``players`` are the side's own, the goalie first. ``surroundings`` are the ball's, where S19 and S20 are in force.
    """

    __slots__ = ("ball", "opponents", "own", "players", "side", "surroundings")

    def __init__(
        self, side: Side, players: tuple[int, ...], opponents: tuple[int, ...], ball: int, enclosure: bool
    ) -> None:
        self.side = side
        self.players = players
        self.own = spaces_of(players)
        self.opponents = spaces_of(opponents)
        self.ball = ball
        self.surroundings = Surroundings(self.own, self.opponents, 1 << ball) if enclosure else None

    def mates(self, index: int) -> int:
        """Return the other outfielders of the player with this index: those who count for S16."""
        return self.own & ~(1 << self.players[0] | 1 << self.players[index])

    def options(self, index: int, die: int) -> Options:
        """Return everything that the player with this index can do with this die."""
        start = 1 << self.players[index]
        ball = 1 << self.ball
        taken = self.own | self.opponents
        walks, lengths = walk(self.players[index], die, WALKABLE & ~(taken | ball), ball)
        walks &= self._places(index)
        if walks and self.surroundings:
            walks = self.surroundings.open_walks(start, walks)
        kicks, scores = self._kicks(index, lengths) if lengths else (0, False)
        return Options(walks, kicks, scores)

    def landings(self, index: int) -> tuple[int, ...]:
        """Return where the player with this index can end after a kick: the first of these that the ball leaves free.

        It is the ball's own space, unless the player may not stay there (S15, S17). Empty where no kick is allowed.
        """
        is_goalie = index == 0
        mates = self.mates(index)
        if stays(self.ball, self.side, is_goalie):
            return () if crowds_area(self.ball, self.side, is_goalie, mates) else (self.ball,)
        others = (self.own | self.opponents) & ~(1 << self.players[index])
        return shift_spaces(self.ball, self.side, is_goalie, mates, others)

    def landing(self, index: int, target: int | None) -> int:
        """Return where the player with this index stands after a legal kick to ``target`` (S17)."""
        return next(landing for landing in self.landings(index) if landing != target)

    def _places(self, index: int) -> int:
        """Return where S15 and S16 let this player end a walk."""
        if index == 0:
            return WALKABLE & ~KEEPER_SPACES[self.side.opponent]
        area = PENALTY_AREAS[self.side]
        return NO_KEEPER_SPACES & ~area if self.mates(index) & area else NO_KEEPER_SPACES

    def _kicks(self, index: int, lengths: int) -> tuple[int, bool]:
        landings = self.landings(index)
        if not landings:
            return 0, False
        others = self.own ^ 1 << self.players[index]
        team = [player for player in self.players[:index] + self.players[index + 1 :] if PITCH >> player & 1]
        balls = [(self.ball, length) for length in range(1, 7) if lengths >> length & 1]
        taken = others | 1 << self.ball | self.opponents
        targets, scores = kick_ends(balls, [*team, self.ball], taken, self.side)
        ends = 0
        for landing in landings:
            # The ball takes the first landing only from a kick that ends there.
            here = targets & ~(1 << landing)
            ends |= open_balls(others | 1 << landing, self.opponents, here) if self.surroundings else here
            targets ^= here
            if not targets:
                break
        return ends, scores


def dead_ball_ends(
    situation: Situation, kickers: int, length: int, *, may_score: bool, enclosure: bool = True
) -> tuple[int, bool]:
    """Return where a kick-off (S6) or a restart kick (S18) can end, and whether it can score.

    ``kickers`` are the players who may take it, each with the ball at their own space. ``enclosure`` may be switched
    off: then S19 and S20 are not checked even where they are in force.
    """
    own, opponents = situation.own, situation.opponents
    team = [player for player in situation.players if PITCH >> player & 1]
    balls = [(player, length) for player in team if kickers >> player & 1]
    ends, scores = kick_ends(balls, team, own | opponents, situation.side if may_score else None)
    return (open_balls(own, opponents, ends) if enclosure and situation.surroundings else ends), scores
