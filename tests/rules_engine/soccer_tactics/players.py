"""Simple players of Soccer Tactics, who know nothing but texts: a keen one for lively matches, and a greedy one."""

from rules_engine.values import Nature

KEEN = 0.7
"""The chance that the keen player does not move at random."""

CORNER = (
    "corner 2.14 red - c2,b2,a6,e4,g3,b6,d9,e14,h6,h8,c8 d16,a10,c9,d9,f9,h1,h10,d4,b8,b6,b9 "
    "1-1 -/- h1 corner 6 1 -/- 0-1 red 0-0/0"
)
"""A position: at a corner, Yellow puts the keeper in the goal area and then a field player on a free square."""


def roll(random, state):
    """Return what chance plays."""
    rolls = state.chance()
    return random.choices([each.text for each in rolls], [float(each.probability) for each in rolls])[0]


def far(one, other):
    """Return the king's distance of two squares."""
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


def keen(random, state):
    """Return a move that seeks the ball, passes, or plays it forward; or any, so that all kinds of things happen."""
    return greedy(random, state) if random.random() < KEEN else random.choice(state.legal_moves())


def greedy(random, state):
    """Return what looks best at a glance: reach the ball, pass near the goal, run to the ball or forward on-side."""
    moves = list(state.legal_moves())
    phase, _, _, _, yellow, red, _, _, ball, *_ = str(state).split()
    teams = [team.split(",") for team in ((yellow, red) if state.turn == "yellow" else (red, yellow))]
    own, others = ([square for square in team if square not in "-x"] for team in teams)
    random.shuffle(moves)
    runs = [move for move in moves if "-" in move]
    if moves[0][0] in ">=":
        return max(moves, key=lambda move: _worth(move[1:], state.turn, own, others))
    if not runs or phase == "corner":
        return moves[0]
    if phase == "move":
        line = max((_row(square, state.turn) for square in others[1:]), default=1)
        return max(runs, key=lambda move: -abs(_row(move.split("-")[1], state.turn) - min(line, 14)))
    nearest = min(runs, key=lambda move: far(move.split("-")[1], ball))
    return "roll" if "roll" in moves and far(nearest.split("-")[1], ball) else nearest


def _row(square, side):
    """Return how far forward a square is for a side."""
    return int(square[1:]) if side == "yellow" else 17 - int(square[1:])


def _worth(square, side, own, others):
    """Return how good it looks to play the ball there: to a team-mate, near the goal, away from opponents."""
    row = _row(square, side)
    if square in others:
        return -20
    if square in own:
        onside = any(_row(other, side) >= row for other in others[1:]) or row < 9
        return 30 + row if onside and row >= 13 else row + 3 if onside else -10
    return row + min(far(square, other) for other in others) - 2 * min(far(square, mate) for mate in own)


def play_match(game, random, player):
    """Yield each state of a match with the text that is played there."""
    state = game.start()
    while state.turn is not None:
        text = roll(random, state) if state.turn is Nature.CHANCE else player(random, state)
        yield state, text
        state = state.play(text)
    yield state, None
