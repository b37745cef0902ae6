"""The title that the winner of a competition has: it follows from what is played.

A new kind is a value here, its name in ``tournaments.models.title``, and the trait of the first stage from which it
follows.
"""

from enum import StrEnum


class TitleKind(StrEnum):
    """The kinds of titles, those that count most first."""

    CHAMPION = "champion"
    YEAR = "year"
    MONTH = "month"
    CUP = "cup"
    MINI_CUP = "mini-cup"


def kind_of_title(*, is_year_final: bool, is_league: bool, goes_by_months: bool, gathers: bool) -> TitleKind:
    """Return the kind of a winner's title.

    The final of a year has its own. The winner of leagues, or of a league of teams, is champion, that of levels which
    go by months has won a month, and where groups form as players come, it is a mini cup; everything else is a cup.
    """
    if is_year_final:
        return TitleKind.YEAR
    if is_league:
        return TitleKind.CHAMPION
    if goes_by_months:
        return TitleKind.MONTH
    return TitleKind.MINI_CUP if gathers else TitleKind.CUP
