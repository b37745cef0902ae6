"""Making the shapes of the API out of events, entries, fixtures and ratings."""

from __future__ import annotations

from typing import cast

from matches.clock import SECOND
from matches.shapes import EndingName, NumbersShape, PlayerShape, SideName
from players.models import Player, Rating
from rules_engine.values import BySide
from tournaments.api import shapes
from tournaments.errors import EntryRefused
from tournaments.models import Cup, Entry, Event, Fixture, Ladder, LogEntry, PlaceChange, RatingChange, Round
from tournaments.pairing.challenge import Prospect
from tournaments.rating import name_rank
from tournaments.selectors.brackets import RoundView, TieView
from tournaments.selectors.cups import Waiting
from tournaments.selectors.ladders import ChallengeOption
from tournaments.selectors.listing import own_of
from tournaments.selectors.tables import TableRow, standing_of
from tournaments.wording import name_round


def present_event(event: Event, entrants: int) -> shapes.EventShape:
    """Return an event as a list shows it."""
    own = own_of(event)
    winner = own.winner if isinstance(own, Cup) else None
    return {
        "id": own.pk,
        "slug": own.slug,
        "url": own.get_absolute_url(),
        "kind": "cup" if isinstance(own, Cup) else "ladder",
        "name": own.name,
        "format": cast("shapes.FormatName", str(own.format if isinstance(own, Cup) else own.system)),
        "game": own.game,
        "title": own.rules.title,
        "status": cast("shapes.EventStatusName", str(own.status)),
        "is_rated": own.is_rated,
        "admits_computers": own.admits_computers,
        "has_password": bool(own.password),
        "entrants": entrants,
        "max_entrants": own.max_entrants,
        "min_rating": own.min_rating,
        "max_rating": own.max_rating,
        "time_control": {
            "bank": own.time_control.bank // SECOND,
            "increment": own.time_control.increment // SECOND,
            "cap": own.time_control.cap // SECOND,
        },
        "vacation_limit": own.vacation_limit,
        "starts_at": own.starts_at,
        "starts_when_full": own.starts_when_full,
        "started_at": own.started_at,
        "paused_at": own.paused_at,
        "finished_at": own.finished_at,
        "winner": winner.player.username if winner else None,
    }


def present_ladder(ladder: Ladder) -> shapes.LadderOptionsShape:
    """Return the options of a ladder."""
    return {
        "window_days": ladder.window_days,
        "best_results": ladder.best_results,
        "least_matches": ladder.least_matches,
        "games_each": ladder.games_each,
        "rematch_days": ladder.rematch_days,
        "most_outgoing": ladder.most_outgoing,
        "most_incoming": ladder.most_incoming,
    }


def present_cup(cup: Cup) -> shapes.CupOptionsShape:
    """Return the options of a cup."""
    return {
        "seeding": cast("shapes.SeedingName", str(cup.seeding)),
        "draw_seed": cup.draw_seed,
        "legs": cup.legs,
        "replays": cup.replays,
        "third_place": cup.third_place,
        "cycles": cup.cycles,
        "round_days": cup.round_days,
        "at_round_end": cast("shapes.RoundEndName", str(cup.at_round_end)),
        "late_entry": cup.late_entry and cup.allows_late_entry,
    }


def present_entry(entry: Entry) -> shapes.OwnEntryShape:
    """Return a player's entry; its standing was read with it."""
    standing = standing_of(entry)
    return {
        "status": cast("shapes.EntryStatusName", str(entry.status)),
        "seed": entry.seed,
        "place": entry.position or (standing.place if standing else None),
        "waits_since": entry.waits_since,
        "entered_at": entry.entered_at,
    }


def present_refusal(refusal: EntryRefused) -> shapes.RefusalShape:
    """Return a reason why not."""
    return {"code": refusal.code, "detail": refusal.reason}


def present_round(round_: Round) -> shapes.RoundShape:
    """Return a round's number and dates."""
    return {
        "number": round_.number,
        "started_at": round_.started_at,
        "ends_at": round_.ends_at,
        "ended_at": round_.ended_at,
    }


def present_waiting(waiting: Waiting) -> shapes.WaitingShape:
    """Return one thing that a cup waits for."""
    return {
        "kind": waiting.kind.value,
        "detail": waiting.sentence,
        "match": waiting.fixture.match_id if waiting.fixture else None,
        "player": waiting.entry.player.username if waiting.entry else None,
        "until": waiting.until,
    }


def present_standing(shown: TableRow) -> shapes.StandingShape:
    """Return an entrant's row of the table."""
    entry, row = shown.entry, shown.standing
    return {
        "place": shown.place,
        "previous_place": row.previous_place if row else None,
        "entry": entry.pk,
        "player": present_player(entry.player),
        "status": cast("shapes.EntryStatusName", str(entry.status)),
        "seed": entry.seed,
        "played": row.played if row else 0,
        "won": row.won if row else 0,
        "drawn": row.drawn if row else 0,
        "lost": row.lost if row else 0,
        "as_red": row.as_red if row else 0,
        "goals_for": row.goals_for if row else 0,
        "goals_against": row.goals_against if row else 0,
        "points": row.points if row else 0,
        "values": row.values if row else {},
        "decided_by": (row.decided_by or None) if row else None,
        "reason": shown.reason,
    }


def present_place_change(change: PlaceChange) -> shapes.PlaceChangeShape:
    """Return how somebody's place changed."""
    return {
        "player": change.entry.player.username,
        "place": change.place,
        "match": change.match_id,
        "changed_at": change.changed_at,
    }


def present_fixture(fixture: Fixture) -> shapes.FixtureShape:
    """Return a match of an event."""
    return {
        "id": fixture.pk,
        "match": fixture.match_id,
        "round": fixture.round.number if fixture.round else None,
        "leg": fixture.leg if fixture.tie_id is not None else None,
        "yellow": fixture.yellow.player.username,
        "red": fixture.red.player.username,
        "challenger": _challenger_of(fixture),
        "ending": cast("EndingName", fixture.ending) if fixture.ending else None,
        "points": _present_numbers(fixture.points),
        "goals": _present_numbers(fixture.goals),
        "finished_at": fixture.finished_at,
    }


def present_bracket(rounds: list[RoundView]) -> shapes.BracketShape:
    """Return the bracket of a knock-out."""
    return {
        "rounds": [
            {
                **present_round(each.round),
                "name": name_round(each.round.number, len(rounds)),
                "ties": [
                    _present_tie(view) for view in (*each.ties, *([each.third_place] if each.third_place else []))
                ],
            }
            for each in rounds
        ]
    }


def present_option(option: ChallengeOption) -> shapes.ChallengeOptionShape:
    """Return what a challenge would do, or why there can be none."""
    refusal, prospects = option.refusal, option.prospects
    return {
        "opponent": option.opponent.player.username,
        "position": option.opponent.position or 0,
        "obstacle": {"code": refusal.obstacle.value, "detail": refusal.sentence} if refusal else None,
        "prospects": {
            "win": _present_prospect(prospects.win),
            "draw": _present_prospect(prospects.draw),
            "loss": _present_prospect(prospects.loss),
            "timeout": _present_prospect(prospects.timeout),
        }
        if prospects
        else None,
    }


def present_log_line(line: LogEntry) -> shapes.LogLineShape:
    """Return one thing that was done."""
    return {
        "at": line.logged_at,
        "actor": line.actor.username if line.actor else None,
        "action": line.action,
        "subject": line.subject,
        "reason": line.reason,
    }


def present_rating(rating: Rating) -> shapes.RatingShape:
    """Return a player's rating."""
    return {
        "player": present_player(rating.player),
        "game": rating.family,
        "rating": f"{rating.rating:.4f}",
        "rank": name_rank(rating.rank),
        "games": rating.games,
        "wins": rating.wins,
    }


def present_change(change: RatingChange) -> shapes.RatingChangeShape:
    """Return what a match did to a rating."""
    match = change.match
    side = match.side_of(change.player_id)
    opponent = match.red if match.yellow_id == change.player_id else match.yellow
    return {
        "match": change.match_id,
        "opponent": opponent.username,
        "side": cast("SideName", str(side)),
        "finished_at": change.finished_at,
        "before": f"{change.before:.4f}",
        "after": f"{change.after:.4f}",
        "rank": name_rank(change.rank),
    }


def present_player(player: Player) -> PlayerShape:
    """Return who somebody is."""
    return {"username": player.username, "is_computer": player.is_computer, "is_guest": player.is_guest}


def _challenger_of(fixture: Fixture) -> str | None:
    if fixture.challenger_id is None:
        return None
    challenger = fixture.yellow if fixture.challenger_id == fixture.yellow_id else fixture.red
    return challenger.player.username


def _present_tie(view: TieView) -> shapes.TieShape:
    tie = view.tie
    return {
        "slot": tie.slot,
        "is_third_place": tie.is_third_place,
        "first": _present_side(tie.first, view.points[0], view.goals[0]),
        "second": _present_side(tie.second, view.points[1], view.goals[1]),
        "winner": tie.winner.player.username if tie.winner else None,
        "decided_by": tie.decided_by or None,
        "matches": [leg.match_id for leg in view.legs if leg.match_id is not None],
    }


def _present_side(entry: Entry | None, points: int, goals: int) -> shapes.TieSideShape:
    return {
        "player": entry.player.username if entry else None,
        "seed": entry.seed if entry else None,
        "points": points,
        "goals": goals,
    }


def _present_prospect(prospect: Prospect) -> shapes.ProspectShape:
    return {"position": prospect.position, "detail": prospect.sentence}


def _present_numbers(numbers: BySide[int] | None) -> NumbersShape | None:
    return None if numbers is None else {"yellow": numbers.yellow, "red": numbers.red}
