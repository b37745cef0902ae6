"""A site of long ago that is brought to this code, migration by migration.

``python -m tests.database.old_site DIRECTORY``: the directory has a package of each app's migrations without the
squashed one, as they were when the site began. Later it finds the apps' own migrations, the squashed one among them,
wherever it stands. Prints what became of the rows, and the schema.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import StateApps

from database.migration_state import refuse_other_schema
from rules_engine.registry import GAMES
from tests.database.describe_schema import describe_definitions, describe_schema

COLUMNS = ("seeding", "draw_seed", "round_days", "at_round_end", "late_entry", "tiebreaks")
"""The columns of a stage that are no options of its format."""

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)

MATCH = {
    "position": "",
    "side": "yellow",
    "time_bank": 3600,
    "time_increment": 0,
    "time_cap": 3600,
    "bank_yellow": 3_600_000,
    "bank_red": 3_600_000,
    "turn_started_at": NOON,
    "last_event_at": NOON,
    "deadline": NOON,
    "seed": bytes(32),
    "commitment": "",
    "chain": "",
    "created_at": NOON,
}
"""The values that a match needs beside its game and players."""


def use_migrations(directory: str) -> None:
    """Let the packages of a directory, ``<app>_before``, take the place of the apps' own migrations."""
    sys.path.insert(0, directory)
    packages = [package.name for package in Path(directory).iterdir()]
    settings.MIGRATION_MODULES = {name.removesuffix("_before"): name for name in packages}


STANDS = (
    [
        ("tournaments", "0014_call_competitions_so"),
        ("matches", "0012_rename_to_plain_words"),
        ("players", "0013_call_competitions_so"),
    ],
    [("tournaments", "0040_put_players_on_waiting_lists")],
    [("tournaments", "0065_know_who_has_no_place")],
    [("tournaments", "0076_find_the_latest_matches_that_count")],
)
"""The migrations at which the site gets newer code: where the first squashed migrations end, in the middle, one before
the second ones end, and one before the last."""

OLD_SQUASHES = (
    ("players", "0001_squashed_0013_call_competitions_so"),
    ("matches", "0001_squashed_0012_rename_to_plain_words"),
    ("tournaments", "0001_squashed_0014_call_competitions_so"),
    ("matches", "0001_squashed_0019_find_the_next_deadlines_of_a_competition"),
    ("tournaments", "0001_squashed_0066_find_who_has_no_place"),
)
"""Squashed migrations that are gone, as later ones replace what they have replaced. Databases know them."""

DECIDED = {"decided_by": "points", "decided_at": NOON}
"""The values of a tie that was decided."""


def migrate(*targets: tuple[str, str], progress: Callable[..., None] | None = None) -> StateApps:
    """Bring the database to these migrations, or to all, and return the models of then."""
    executor = MigrationExecutor(connection, progress)
    return executor.migrate(list(targets) or executor.loader.graph.leaf_nodes()).apps


def make_players(apps: StateApps) -> None:
    """Store players with and without a confirmed e-mail, when several might claim the same, and ratings."""
    players, ratings = (apps.get_model("players", name).objects for name in ("Player", "Rating"))
    anna = players.create(username="anna", email="anna@example.org", email_confirmed_at=NOON)
    piotr = players.create(username="piotr", email="piotr@example.org")
    carla = players.create(username="carla", is_active=False)
    for player, rating in ((anna, "1510.2500"), (piotr, "1510.7500"), (carla, "1510.9999")):
        ratings.create(player=player, family="streetsoccer", rating=rating, games=1)
    ratings.create(player=anna, family="paper-soccer", rating="1499.9999", games=1)


def make_competitions(apps: StateApps) -> None:
    """Store ladders and cups whose options had no bounds."""
    shared = {"game": "streetsoccer-board", "created_at": NOON}
    ladders, cups = apps.get_model("tournaments", "Ladder").objects, apps.get_model("tournaments", "Cup").objects
    ladders.create(slug="much", window_days=999_999, rematch_days=2_000_000_000, games_each=1_000_000, **shared)
    ladders.create(slug="usual", window_days=0, rematch_days=0, games_each=0, **shared)
    cups.create(slug="long", round_days=999_999_999, **shared)
    cups.create(slug="free", round_days=None, **shared)


def make_what_was_renamed(apps: StateApps) -> None:
    """Store what this code calls otherwise: an event with organiser, entry and log, a mail, a kept response."""
    anna, piotr = (
        apps.get_model("players", "Player").objects.filter(username__in=["anna", "piotr"]).order_by("username")
    )
    cup = apps.get_model("tournaments", "Cup").objects.get(slug="free")
    event = apps.get_model("tournaments", "Event").objects.get(slug="free")
    event.organisers.add(anna)
    event.standings_wanted_at, event.metrics = NOON, ["points", "wins"]
    event.save()
    apps.get_model("tournaments", "Entry").objects.create(
        event=event, player_id=anna.pk, status="active", draw=1, entered_at=NOON
    )
    apps.get_model("tournaments", "Round").objects.create(cup=cup, number=1)
    apps.get_model("tournaments", "LogEntry").objects.create(event=event, action="opened", logged_at=NOON, is_told=True)
    apps.get_model("players", "MailSettings").objects.create(player_id=anna.pk, events=False)
    matches = apps.get_model("matches", "Match").objects
    match = matches.create(game="paper-soccer", yellow_id=anna.pk, red_id=piotr.pk, **MATCH)
    apps.get_model("matches", "MatchAnalysis").objects.create(
        match_id=match.pk, engine="1", nodes=1, depth=1, wanted_by_id=anna.pk, wanted_at=NOON
    )
    apps.get_model("matches", "StoredAnswer").objects.create(
        player_id=anna.pk, key="k", fingerprint="f", status=201, body="{}", created_at=NOON
    )


def make_what_was_played(apps: StateApps) -> None:
    """Store a ladder and cups whose options are not the usual ones, one of them won."""
    shared = {"game": "streetsoccer-board", "created_at": NOON}
    ladders, cups = apps.get_model("tournaments", "Ladder").objects, apps.get_model("tournaments", "Cup").objects
    ladders.create(slug="climb", system="challenge", rematch_days=7, most_outgoing=3, most_incoming=4, **shared)
    ladders.create(slug="best", best_results=5, least_matches=4, metrics=["wins", "draw"], **shared)
    cups.create(slug="round", format="round-robin", cycles=2, seeding="draw", late_entry=True, **shared)
    won = cups.create(
        slug="won",
        third_place=True,
        legs=1,
        replays=2,
        seeding="hand",
        draw_seed=2**62,
        round_days=7,
        at_round_end="forfeit",
        status="finished",
        **shared,
    )
    piotr = apps.get_model("players", "Player").objects.get(username="piotr")
    won.winner = apps.get_model("tournaments", "Entry").objects.create(
        event_id=won.pk, player_id=piotr.pk, status="active", draw=2, entered_at=NOON
    )
    won.save()
    make_bracket(apps, won.pk)


def make_what_was_given_up(apps: StateApps) -> None:
    """Store a round robin that was cancelled, a round that is overdue, and a mail that could not be sent."""
    models = {name: apps.get_model("tournaments", name).objects for name in ("Entry", "Round", "Fixture", "LogEntry")}
    players = apps.get_model("players", "Player").objects
    # A match is annulled in whole milliseconds, a competition ends in microseconds.
    end = NOON + timedelta(microseconds=700)
    cup = apps.get_model("tournaments", "Cup").objects.create(
        slug="given-up",
        game="streetsoccer-board",
        format="round-robin",
        status="cancelled",
        created_at=NOON,
        started_at=NOON - HOUR,
        finished_at=end,
    )
    cup.organisers.add(players.get(username="anna"))
    one, two, three = (
        models["Entry"].create(
            event_id=cup.pk, player_id=players.create(username=name).pk, draw=number, seed=number, entered_at=NOON
        )
        for number, name in enumerate(("uma", "vic", "wes"), start=1)
    )
    early, late = (
        models["Round"].create(cup_id=cup.pk, number=number, started_at=NOON - HOUR, ended_at=end) for number in (1, 2)
    )
    over = {"event_id": cup.pk, "created_at": NOON - HOUR, "is_annulled": True}
    for round_, yellow, red, annulled_at in (
        (early, one, two, NOON),
        (early, two, three, NOON - timedelta(milliseconds=1)),
        (late, one, three, None),
        (late, three, two, None),
    ):
        match = annulled_at and apps.get_model("matches", "Match").objects.create(
            game="streetsoccer-board",
            yellow_id=yellow.player_id,
            red_id=red.player_id,
            status="finished",
            competition=cup.pk,
            ending="adjudication",
            score_yellow=0,
            score_red=0,
            points_yellow=2,
            points_red=2,
            finished_at=annulled_at,
            annulled_at=annulled_at,
            settled_at=annulled_at,
            **{**MATCH, "side": "", "deadline": None, "position": str(GAMES["streetsoccer-board"].start())},
        )
        models["Fixture"].create(round=round_, yellow=yellow, red=red, match_id=match and match.pk, **over)
    models["LogEntry"].create(event_id=cup.pk, action="annulled", subject="uma – wes", logged_at=NOON)
    line = models["LogEntry"].create(event_id=cup.pk, action="cancelled", logged_at=end)
    models["Round"].create(
        cup_id=apps.get_model("tournaments", "Cup").objects.get(slug="long").pk, number=1, started_at=NOON, ends_at=NOON
    )
    mails = apps.get_model("players", "Delivery").objects
    for number, about in enumerate(({"entry": line.pk}, {"fixtures": [1]}), start=1):
        mails.create(
            player_id=one.player_id,
            kind="event",
            key=f"event:{number}",
            about=about,
            state="failed",
            created_at=NOON,
            next_attempt_at=NOON,
        )


def make_bracket(apps: StateApps, cup_id: int) -> None:
    """Store three players in a cup with a bye and a tie for third place, who stand in a table and climb in it."""
    models = {name: apps.get_model("tournaments", name).objects for name in ("Entry", "Round", "Tie", "Fixture")}
    players = apps.get_model("players", "Player").objects
    names = ("first", "second", "third")
    one, two, three = (
        models["Entry"].create(
            event_id=cup_id, player_id=players.create(username=name).pk, draw=number, seed=number, entered_at=NOON
        )
        for number, name in enumerate(names, start=1)
    )
    early, late = (models["Round"].create(cup_id=cup_id, number=number) for number in (1, 2))
    tie = models["Tie"].create(round=early, slot=1, first=three, second=two, winner=two, **DECIDED)
    models["Tie"].create(round=late, slot=0, first=one, second=two)
    models["Tie"].create(round=late, slot=0, is_third_place=True)
    fixture = models["Fixture"].create(event_id=cup_id, round=early, tie=tie, yellow=three, red=two, created_at=NOON)
    apps.get_model("tournaments", "Standing").objects.create(entry=two, event_id=cup_id, place=1, played=1)
    apps.get_model("tournaments", "PlaceChange").objects.create(entry=two, place=1, changed_at=NOON)
    models["Fixture"].filter(pk=fixture.pk).update(leg=2)
    ladder = apps.get_model("tournaments", "Ladder").objects.get(slug="climb")
    models["Entry"].create(event_id=ladder.pk, player_id=one.player_id, draw=1, position=4, entered_at=NOON)


def read_rows() -> dict[str, Any]:
    """Return what became of them, by the models of today."""
    from formats.options import write_options
    from matches.models import MatchAnalysis
    from players.models import Delivery, MailSettings, Player, Rating
    from tournaments.models import (
        Competition,
        Cup,
        Entry,
        Fixture,
        LogEntry,
        PlaceChange,
        RatingCount,
        Round,
        Seat,
        Stage,
        Standing,
        Tie,
    )
    from web.models import IdempotentResponse

    free = Competition.objects.get(slug="free")
    return {
        "emails": list(Player.objects.exclude(email="").order_by("pk").values_list("email", "email_confirmed_at")),
        "stages": {
            each.slug: [each.kind, each.first_stage.format, each.first_stage.options]
            for each in Competition.objects.order_by("pk")
        },
        "with defaults": [
            str(stage) for stage in Stage.objects.all() if write_options(stage.chosen_options) != stage.options
        ],
        "cups": {cup.slug: [getattr(cup.first_stage, name) for name in COLUMNS] for cup in Cup.objects.order_by("pk")},
        "winners": [[cup.slug, cup.winner.player.username] for cup in Cup.objects.filter(winner__isnull=False)],
        "stale": list(free.first_stage.groups.values_list("standings_stale_since", flat=True)),
        "tiebreaks": free.first_stage.tiebreaks,
        "organisers": [player.username for player in free.organisers.all()],
        "entries": list(Entry.objects.order_by("pk").values_list("competition__slug", "player__username")),
        "rounds": list(Round.objects.order_by("pk").values_list("group__stage__competition__slug", "number")),
        "seats": list(Seat.objects.order_by("pk").values_list("entry__player__username", "seed", "position")),
        "ties": [
            [tie.round.number, tie.part, tie.first_seed, tie.first_takes, tie.second_seed, tie.second_takes]
            for tie in Tie.objects.order_by("pk").select_related("round")
        ],
        "sources": [
            [None if tie is None else tie.slot for tie in (each.first_from, each.second_from)]
            for each in Tie.objects.order_by("pk")
        ],
        "fixtures": list(Fixture.objects.order_by("pk").values_list("group__stage__competition__slug", "leg")),
        "annulments": list(
            Fixture.objects.filter(is_annulled=True)
            .order_by("pk")
            .values_list("yellow__player__username", "red__player__username", "annulment")
        ),
        "overdue": list(
            Round.objects.exclude(overdue_of=None).values_list("group__stage__competition__slug", "overdue_of")
        ),
        "given up": list(Delivery.objects.order_by("pk").values_list("kind", "about")),
        "table": list(Standing.objects.values_list("seat__entry__player__username", "place", "group__stage__number")),
        "places": list(PlaceChange.objects.values_list("seat__entry__player__username", "place")),
        "competitions_of_places": [
            each.competition_id == each.seat.stage.competition_id
            for each in PlaceChange.objects.select_related("seat__stage")
        ],
        "log": list(LogEntry.objects.values_list("competition__slug", "action", "is_notified")),
        "listed": list(Rating.objects.order_by("pk").values_list("player__username", "family", "is_listed")),
        "rated": list(RatingCount.objects.order_by("family").values_list("family", "points", "players")),
        "mails": list(MailSettings.objects.values_list("player__username", "competitions")),
        "responses": list(IdempotentResponse.objects.values_list("player__username", "key", "status")),
        "computers": list(
            Player.objects.filter(is_computer=True).order_by("username").values_list("username", flat=True)
        ),
        "analyses": list(MatchAnalysis.objects.values_list("match__last_move_at", "requested_by__username", "status")),
    }


def go_on_with_what_was_given_up() -> dict[str, Any]:
    """Take back the end of the cup that was cancelled, and return how it goes on."""
    from players.models import Player
    from tournaments.decisions.services.undo.ends import take_back_end
    from tournaments.models import Competition, Fixture

    cup = Competition.objects.get(slug="given-up")
    anna = Player.objects.get(username="anna")
    take_back_end(competition_id=cup.pk, actor=anna, reason="It goes on.", now=NOON + HOUR)
    fixtures = Fixture.objects.filter(competition=cup, is_annulled=False).order_by("pk")
    return {
        "status": Competition.objects.get(pk=cup.pk).status,
        "played": list(fixtures.values_list("yellow__player__username", "red__player__username", "match__status")),
    }


def main() -> None:
    """Live through the years, and print the rows and the schema as JSON."""
    use_migrations(sys.argv[1])
    django.setup()
    make_players(migrate(("players", "0007_make_computers")))
    make_competitions(
        migrate(
            ("tournaments", "0007_free_places_from_their_index"),
            ("players", "0008_let_one_player_confirm_an_address"),
        )
    )
    renamed_later = migrate(
        ("tournaments", "0013_note_results_in_the_history"),
        ("matches", "0011_share_the_engines_fairly"),
        ("players", "0012_keep_keys_of_token_requests"),
    )
    make_what_was_renamed(renamed_later)
    make_what_was_played(renamed_later)
    make_what_was_given_up(renamed_later)
    settings.MIGRATION_MODULES = {}
    for stand in STANDS:
        migrate(*stand)
    for app, name in OLD_SQUASHES:
        MigrationRecorder(connection).record_applied(app, name)
    migrate()
    rows = read_rows()
    rows["goes on"] = go_on_with_what_was_given_up()
    refuse_other_schema()
    print(json.dumps({"rows": rows, "schema": describe_schema(), "definitions": describe_definitions()}, default=str))


if __name__ == "__main__":
    main()
