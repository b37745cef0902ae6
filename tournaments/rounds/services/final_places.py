"""Store the places of an elimination in the same rows as the standings of other competitions."""

from collections import Counter

from formats.protocol import Game
from formats.team_meetings import join_boards
from rules_engine.values import Side
from tournaments.models import Fixture, Standing
from tournaments.records.brackets import final_places_of
from tournaments.records.games import read_game
from tournaments.records.groups import seats_by_entry

_SUMS = ("place", "played", "won", "drawn", "lost", "as_red", "goals_for", "goals_against", "points", "decided_by")


def place_entrants(*, group_id: int) -> None:
    """Store everybody's place in a bracket, as far as it is known, and the sums of their matches in it.

    Of teams each meeting is one match, with all match points and goals of its boards. A place comes from the ties
    alone; those who share one have lost in the same round. Entrants who are still in it have no place. The caller holds
    the competition's lock.
    """
    places = final_places_of(group_id)
    sums: dict[int, Counter[str]] = {entry: Counter() for entry in places}
    fixtures = Fixture.objects.filter(group_id=group_id, is_annulled=False).select_related("round", "tie__round")
    for game in join_boards((each.board, _read(each)) for each in fixtures.order_by("pk")):
        _add(sums, game)
    seat_of = seats_by_entry(group_id=group_id, entries=list(places))
    rows = [
        Standing(
            seat_id=seat_of[entry], group_id=group_id, place=place, decided_by="bracket" if place else "", **sums[entry]
        )
        for entry, place in places.items()
    ]
    Standing.objects.filter(group_id=group_id).exclude(seat_id__in=seat_of.values()).delete()
    Standing.objects.bulk_create(rows, update_conflicts=True, unique_fields=["seat"], update_fields=_SUMS)


def _read(fixture: Fixture) -> Game[int]:
    number = 0 if fixture.round is None else fixture.round.number
    return read_game(fixture, round_=number, tie=None if fixture.tie is None else fixture.tie.key)


def _add(sums: dict[int, Counter[str]], game: Game[int]) -> None:
    points, goals = game.points, game.goals
    if points is None or goals is None:
        return
    winner = next((side for side in Side if points[side] > points[side.opponent]), None)
    if game.team_score is not None:
        winner, points = game.team_score.winner, game.team_score.match_points
    for side in Side:
        row = sums.get(game.sides[side])
        if row is None:
            continue
        own = points[side]
        row["played"] += 1
        row["drawn" if winner is None else "won" if winner is side else "lost"] += 1
        row["as_red"] += side is Side.RED
        row["goals_for"] += goals[side]
        row["goals_against"] += goals[side.opponent]
        row["points"] += own
