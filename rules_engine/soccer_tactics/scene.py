"""The picture of a Soccer Tactics position."""

from rules_engine.messages import Message
from rules_engine.picture import Figure, Line, Picture, Space, Tally
from rules_engine.soccer_tactics.board import CIRCLES, COLUMNS, NAMES, ROWS, column_of, row_of, squares_of
from rules_engine.soccer_tactics.description import LABELS
from rules_engine.soccer_tactics.position import Phase, Position
from rules_engine.soccer_tactics.restarts import keeper_squares
from rules_engine.soccer_tactics.team import DEFENDERS, SENT_OFF, Role, role_of
from rules_engine.values import Side

_MARGIN = 1
"""The number of rows that are left above the board, and below it, for a goal."""


def draw(position: Position) -> Picture:
    """Return the picture with Red's goal at the top; two opponents may stand on one square."""
    figures = tuple(figure for side in Side for figure in _team(position, side))
    ball = None if position.ball is None else NAMES[position.ball]
    return Picture(
        columns=len(COLUMNS),
        rows=ROWS + 2 * _MARGIN,
        spaces=SPACES,
        lines=LINES,
        figures=figures,
        ball=ball,
        marks=_marks(position),
        labels=_labels(position, figures, ball),
        tallies=_tallies(position),
    )


def _team(position: Position, side: Side) -> list[Figure]:
    keeper, cards = position.keepers[side], position.cards[side]
    figures = []
    for shirt, square in enumerate(position.squares[side], 1):
        role = role_of(shirt, keeper)
        # The next foul of a pawn that is warned sends it off (T14).
        is_warned = cards.defenders if role is Role.DEFENDER else shirt in cards.shirts
        figures.append(
            Figure(
                side=side,
                number=shirt,
                kind=role.value,
                space=NAMES.get(square),
                label=LABELS[side, shirt, role],
                badge="card" if square != SENT_OFF and is_warned else "",
                is_out=square == SENT_OFF,
            )
        )
    # The keeper is placed last (T13).
    return sorted(figures, key=lambda figure: figure.space is None and figure.number == keeper)


def _tallies(position: Position) -> tuple[Tally, ...]:
    """Return the cards that count, the defenders' one first, and the shirts that were sent off."""
    tallies = []
    for side in Side:
        squares, cards = position.squares[side], position.cards[side]
        if cards.defenders:
            first, last = DEFENDERS[0], DEFENDERS[-1]
            tallies.append(Tally(side, "card", f"{first}–{last}", Message("tally_defenders")))
        for shirt in sorted(cards.shirts):
            role = position.role(side, shirt)
            if squares[shirt - 1] == SENT_OFF:
                tallies.append(Tally(side, "sent-off", str(shirt), Message("tally_sent_off", shirt=shirt)))
            elif role is not Role.DEFENDER:
                tallies.append(Tally(side, "card", str(shirt), Message("tally_card", role=role.value, shirt=shirt)))
    return tuple(tallies)


def _labels(position: Position, figures: tuple[Figure, ...], ball: str | None) -> dict[str, Message]:
    labels = dict(_EMPTY)
    for figure in sorted(figures, key=lambda figure: figure.side is not position.side):
        if figure.space:
            before = labels[figure.space]
            shared = before.code != "space_empty"
            labels[figure.space] = (
                Message("space_two_figures", figure=before, other=figure.label) if shared else figure.label
            )
    if ball:
        empty = labels[ball].code == "space_empty"
        labels[ball] = Message("space_ball") if empty else Message("space_figure_ball", figure=labels[ball])
    return labels


def _marks(position: Position) -> tuple[str, ...]:
    if position.phase is Phase.GOAL_KICK:
        squares = keeper_squares(position, position.attackers)
    elif position.phase is Phase.KICK_OFF and position.ball is None:
        squares = squares_of(CIRCLES[position.attackers])
    else:
        return ()
    return tuple(NAMES[square] for square in squares)


SPACES = tuple(
    Space(name, column_of(number), ROWS - 1 - row_of(number) + _MARGIN, "pitch") for number, name in NAMES.items()
)
_TOP, _BOTTOM, _MIDDLE = _MARGIN, ROWS + _MARGIN, ROWS / 2 + _MARGIN
LINES = (
    Line.box(0, _TOP, 8, _BOTTOM),
    Line(((0, _MIDDLE), (8, _MIDDLE))),
    Line.box(2, _TOP, 6, _TOP + 3),
    Line.box(2, _BOTTOM - 3, 6, _BOTTOM),
    Line.box(3, _TOP, 5, _TOP + 1),
    Line.box(3, _BOTTOM - 1, 5, _BOTTOM),
    Line(((4, _MIDDLE), (5.4, _MIDDLE)), kind="circle"),
    Line.box(3, _TOP - 0.7, 5, _TOP),
    Line.box(3, _BOTTOM, 5, _BOTTOM + 0.7),
)
"""The pitch, the halfway line, penalty areas, goal areas, the centre circle (its centre and a point on it), goals."""

_EMPTY = {space.name: Message("space_empty") for space in SPACES}
