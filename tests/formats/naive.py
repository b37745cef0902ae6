"""An oracle for standings that is written from the rules' sentences alone, slow and obvious.

It shares nothing with the code under test but the shape of a result: every number is added up anew
from all results each time that it is asked for, and the order is found by comparing every two.
"""

from fractions import Fraction

from formats.scoring.tiebreaks import Bye

LOWEST_FIRST = {"draw"}


def order_naively(entrants, results, tiebreaks, given):
    """Return the entrants as a list of lists: those who share a place together."""
    if len(entrants) < 2:
        return [list(entrants)] if entrants else []
    for tiebreak in tiebreaks:
        number = {entrant: measure_naively(entrant, entrants, results, tiebreak, given) for entrant in entrants}
        if tiebreak in LOWEST_FIRST:
            number = {entrant: -value for entrant, value in number.items()}
        if len(set(number.values())) > 1:
            ordered = []
            for value in sorted(set(number.values()), reverse=True):
                ordered += order_naively(
                    [each for each in entrants if number[each] == value], results, tiebreaks, given
                )
            return ordered
    return [list(entrants)]


def measure_naively(entrant, group, results, tiebreak, given):
    """Return one tiebreak of one entrant, as among the group."""
    if tiebreak in given:
        return given[tiebreak][entrant]
    played = list_rounds(entrant, results)
    matches = [each for each in played if each["opponent"] is not None]
    met = [total_of(entrant if each["opponent"] is None else each["opponent"], results) for each in played]
    return {
        "points": lambda: total_of(entrant, results),
        "head-to-head": lambda: sum(each["points"] for each in matches if each["opponent"] in group),
        "wins": lambda: len([each for each in matches if each["points"] > each["against"]]),
        "goal-difference": lambda: sum(each["scored"] - each["conceded"] for each in matches),
        "goals": lambda: sum(each["scored"] for each in matches),
        "sonneborn-berger": lambda: sum(Fraction(each["points"], 5) * met[n] for n, each in enumerate(played)),
        "buchholz": lambda: sum(met),
        "median-buchholz": lambda: sum(met) - max(met) - min(met) if len(met) > 1 else 0,
        "points-per-match": lambda: Fraction(total_of(entrant, results), len(played)) if played else 0,
        "matches-as-red": lambda: len([each for each in matches if each["is_red"]]),
    }[tiebreak]()


def total_of(entrant, results):
    """Return all match points of one entrant."""
    return sum(each["points"] for each in list_rounds(entrant, results))


def list_rounds(entrant, results):
    """Return the rounds from one entrant's view."""
    rounds = []
    for result in results:
        if isinstance(result, Bye):
            if result.entrant == entrant:
                rounds.append({"opponent": None, "points": result.points})
        elif result.yellow == entrant:
            rounds.append(
                {
                    "opponent": result.red,
                    "points": result.points.yellow,
                    "against": result.points.red,
                    "scored": result.goals.yellow,
                    "conceded": result.goals.red,
                    "is_red": False,
                }
            )
        elif result.red == entrant:
            rounds.append(
                {
                    "opponent": result.yellow,
                    "points": result.points.red,
                    "against": result.points.yellow,
                    "scored": result.goals.red,
                    "conceded": result.goals.yellow,
                    "is_red": True,
                }
            )
    return rounds
