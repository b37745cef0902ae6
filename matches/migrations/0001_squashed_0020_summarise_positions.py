from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

import matches.models.changed_at
from database.create_models import CreateModels

MOVES_IN_ORDER = """\
CREATE TABLE "matches_move" (
    "match_id" bigint NOT NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED,
    "ply" integer unsigned NOT NULL CHECK ("ply" >= 0),
    "actor" varchar(6) NOT NULL,
    "text" text NOT NULL,
    "played_at" datetime NOT NULL,
    "thinking" bigint unsigned NULL CHECK ("thinking" >= 0),
    "is_drawn" bool DEFAULT 0 NOT NULL,
    PRIMARY KEY ("match_id", "ply"),
    CONSTRAINT "move_by_a_side_took_time" CHECK (
        ("actor" = 'chance' AND "thinking" IS NULL)
        OR ("actor" IN ('yellow', 'red') AND "thinking" IS NOT NULL)
    )
) WITHOUT ROWID"""


def lay_moves_in_order(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the table of moves lie in the order of its key on SQLite, which Django cannot say."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute('DROP TABLE "matches_move"')
        schema_editor.execute(MOVES_IN_ORDER)


class Migration(migrations.Migration):
    """Matches, moves, seeks, clocks and analyses, as they were in version 0.3.0."""

    initial = True

    dependencies = [
        ("players", "0001_squashed_0021_find_closed_accounts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Operation]] = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="ClockExtension",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("organiser", "by an organiser"),
                                    ("vacation", "a day of vacation"),
                                    ("pause", "a pause of the clocks"),
                                ],
                                default="organiser",
                                max_length=9,
                                verbose_name="reason",
                            ),
                        ),
                        ("ply", models.PositiveIntegerField(verbose_name="ply")),
                        (
                            "side",
                            models.CharField(
                                choices=[("yellow", "yellow"), ("red", "red")], max_length=6, verbose_name="side"
                            ),
                        ),
                        ("milliseconds", models.PositiveBigIntegerField(verbose_name="milliseconds")),
                        ("granted_at", models.DateTimeField(verbose_name="granted")),
                        (
                            "vacation_day",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="clock_extensions",
                                to="players.vacationday",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="clock_extensions",
                                to="matches.match",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "extension of a clock",
                        "verbose_name_plural": "extensions of clocks",
                        "ordering": ["id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "vacation"), ("vacation_day__isnull", False)),
                                    models.Q(
                                        models.Q(("kind", "vacation"), _negated=True), ("vacation_day__isnull", True)
                                    ),
                                    _connector="OR",
                                ),
                                name="clock_extension_by_its_day",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("vacation_day__isnull", False)),
                                fields=("vacation_day", "match"),
                                name="clock_extension_once_a_day",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EngineQueue",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "name",
                            models.CharField(
                                choices=[("turns", "turns of computers"), ("analyses", "analyses")],
                                max_length=8,
                                unique=True,
                                verbose_name="name",
                            ),
                        ),
                        ("clock", models.PositiveBigIntegerField(default=0, verbose_name="clock")),
                    ],
                    options={
                        "verbose_name": "queue of the engines",
                        "verbose_name_plural": "queues of the engines",
                    },
                ),
                migrations.CreateModel(
                    name="EngineShare",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("client", models.CharField(max_length=80, verbose_name="client")),
                        ("used", models.PositiveBigIntegerField(verbose_name="used")),
                        (
                            "queue",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="shares",
                                to="matches.enginequeue",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "share of a queue",
                        "verbose_name_plural": "shares of queues",
                        "constraints": [
                            models.UniqueConstraint(fields=("queue", "client"), name="engine_share_one_for_each_client")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Match",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "changed_at",
                            matches.models.changed_at.ChangedAtField(
                                db_default=django.db.models.functions.datetime.Now(),
                                editable=False,
                                verbose_name="changed",
                            ),
                        ),
                        ("game", models.CharField(max_length=40, verbose_name="game")),
                        (
                            "status",
                            models.CharField(
                                choices=[("playing", "playing"), ("finished", "finished")],
                                default="playing",
                                max_length=8,
                                verbose_name="status",
                            ),
                        ),
                        ("ply", models.PositiveIntegerField(default=0, verbose_name="moves so far")),
                        ("position", models.TextField(verbose_name="position")),
                        (
                            "side",
                            models.CharField(
                                blank=True,
                                choices=[("yellow", "yellow"), ("red", "red")],
                                max_length=6,
                                verbose_name="side to act",
                            ),
                        ),
                        ("time_bank", models.PositiveBigIntegerField(verbose_name="time to start with, in seconds")),
                        (
                            "time_increment",
                            models.PositiveBigIntegerField(verbose_name="time that a turn adds, in seconds"),
                        ),
                        ("time_cap", models.PositiveBigIntegerField(verbose_name="most time on a clock, in seconds")),
                        (
                            "bank_yellow",
                            models.PositiveBigIntegerField(verbose_name="time on Yellow's clock, in milliseconds"),
                        ),
                        (
                            "bank_red",
                            models.PositiveBigIntegerField(verbose_name="time on Red's clock, in milliseconds"),
                        ),
                        ("turn_started_at", models.DateTimeField(verbose_name="turn started")),
                        ("last_move_at", models.DateTimeField(verbose_name="last move")),
                        ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="deadline")),
                        (
                            "extensions",
                            models.PositiveSmallIntegerField(default=0, verbose_name="changes of its clocks by others"),
                        ),
                        ("paused_at", models.DateTimeField(blank=True, null=True, verbose_name="paused")),
                        (
                            "vacation_limit",
                            models.PositiveSmallIntegerField(
                                blank=True, null=True, verbose_name="maximum days of vacation"
                            ),
                        ),
                        (
                            "competition",
                            models.PositiveBigIntegerField(blank=True, null=True, verbose_name="competition"),
                        ),
                        (
                            "claimed_ply",
                            models.PositiveIntegerField(
                                blank=True, null=True, verbose_name="ply that a worker has claimed"
                            ),
                        ),
                        ("claimed_until", models.DateTimeField(blank=True, null=True, verbose_name="claimed until")),
                        ("is_notified", models.BooleanField(default=False, verbose_name="players notified")),
                        ("seed", models.BinaryField(max_length=32, verbose_name="secret seed")),
                        ("commitment", models.CharField(max_length=64, verbose_name="commitment")),
                        ("chain", models.CharField(max_length=64, verbose_name="chain")),
                        ("rolls", models.PositiveIntegerField(default=0, verbose_name="rolls so far")),
                        (
                            "winner",
                            models.CharField(
                                blank=True,
                                choices=[("yellow", "yellow"), ("red", "red")],
                                max_length=6,
                                verbose_name="winner",
                            ),
                        ),
                        (
                            "ending",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("normal-time", "normal-time"),
                                    ("sudden-death", "sudden-death"),
                                    ("last-goal", "last-goal"),
                                    ("goalless", "goalless"),
                                    ("over-time", "over-time"),
                                    ("penalties", "penalties"),
                                    ("resignation", "resignation"),
                                    ("timeout", "timeout"),
                                    ("forfeit", "forfeit"),
                                    ("adjudication", "adjudication"),
                                ],
                                max_length=16,
                                verbose_name="ending",
                            ),
                        ),
                        (
                            "score_yellow",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's score"),
                        ),
                        ("score_red", models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's score")),
                        (
                            "points_yellow",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's match points"),
                        ),
                        (
                            "points_red",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's match points"),
                        ),
                        ("is_rated", models.BooleanField(default=False, verbose_name="counts for the ratings")),
                        ("created_at", models.DateTimeField(verbose_name="created")),
                        ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                        ("settled_at", models.DateTimeField(blank=True, null=True, verbose_name="settled")),
                        ("annulled_at", models.DateTimeField(blank=True, null=True, verbose_name="annulled")),
                        (
                            "red",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches_as_red",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "rematch_of",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rematch",
                                to="matches.match",
                            ),
                        ),
                        (
                            "yellow",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches_as_yellow",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "position_summary",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=120,
                                verbose_name="summary of the position",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "match",
                        "verbose_name_plural": "matches",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "playing"), ("paused_at", None)),
                                fields=["deadline", "id"],
                                name="match_deadlines",
                            ),
                            models.Index(
                                condition=models.Q(("status", "playing")),
                                fields=["yellow", "deadline"],
                                name="match_running_yellow",
                            ),
                            models.Index(
                                condition=models.Q(("status", "playing")),
                                fields=["red", "deadline"],
                                name="match_running_red",
                            ),
                            models.Index(
                                condition=models.Q(("status", "playing"), ("side", "yellow")),
                                fields=["yellow", "last_move_at"],
                                name="match_yellow_to_act",
                            ),
                            models.Index(
                                condition=models.Q(("status", "playing"), ("side", "red")),
                                fields=["red", "last_move_at"],
                                name="match_red_to_act",
                            ),
                            models.Index(
                                condition=models.Q(("status", "finished")),
                                fields=["-finished_at"],
                                name="match_finished",
                            ),
                            models.Index(
                                condition=models.Q(("status", "finished"), ("settled_at", None)),
                                fields=["id"],
                                name="match_unsettled",
                            ),
                            models.Index(
                                condition=models.Q(("status", "playing"), ("paused_at", None), ("is_notified", False)),
                                fields=["turn_started_at", "id"],
                                name="match_turn_to_notify",
                            ),
                            models.Index(
                                condition=models.Q(("status", "finished"), ("is_notified", False)),
                                fields=["id"],
                                name="match_end_to_notify",
                            ),
                            models.Index(fields=["changed_at"], name="match_changed"),
                            models.Index(fields=["game", "-id"], name="match_of_game"),
                            models.Index(
                                condition=models.Q(("status", "playing"), ("competition__isnull", False)),
                                fields=["competition", "deadline", "id"],
                                name="match_of_competition",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("yellow", models.F("red")), _negated=True),
                                name="match_players_differ",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("status", "playing"),
                                        ("points_red", None),
                                        ("points_yellow", None),
                                        ("score_red", None),
                                        ("score_yellow", None),
                                        ("winner", ""),
                                    ),
                                    models.Q(
                                        ("status", "finished"),
                                        ("winner__in", ["", "yellow", "red"]),
                                        ("score_red__isnull", False),
                                        ("score_yellow__isnull", False),
                                        ("points_red__isnull", False),
                                        ("points_yellow__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="match_has_result_when_finished",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("status", "playing"), ("paused_at", None), _connector="OR"),
                                name="match_is_paused_while_playing",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("status", "playing"),
                                        ("deadline__isnull", False),
                                        ("ending", ""),
                                        ("finished_at__isnull", True),
                                        ("side__in", ["yellow", "red"]),
                                    ),
                                    models.Q(
                                        ("status", "finished"),
                                        ("deadline__isnull", True),
                                        (
                                            "ending__in",
                                            [
                                                "normal-time",
                                                "sudden-death",
                                                "last-goal",
                                                "goalless",
                                                "over-time",
                                                "penalties",
                                                "resignation",
                                                "timeout",
                                                "forfeit",
                                                "adjudication",
                                            ],
                                        ),
                                        ("finished_at__isnull", False),
                                        ("side", ""),
                                    ),
                                    _connector="OR",
                                ),
                                name="match_is_playing_or_finished",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MatchAnalysis",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("engine", models.CharField(max_length=40, verbose_name="engine")),
                        ("nodes", models.PositiveIntegerField(verbose_name="positions looked at for a move")),
                        ("depth", models.PositiveSmallIntegerField(verbose_name="turns looked ahead")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting"),
                                    ("running", "running"),
                                    ("done", "done"),
                                    ("failed", "failed"),
                                ],
                                default="waiting",
                                max_length=7,
                                verbose_name="status",
                            ),
                        ),
                        ("judged", models.PositiveIntegerField(default=0, verbose_name="moves judged so far")),
                        ("verdicts", models.JSONField(default=list, verbose_name="verdicts")),
                        ("requested_at", models.DateTimeField(verbose_name="requested")),
                        ("started_at", models.DateTimeField(null=True, verbose_name="started")),
                        ("finished_at", models.DateTimeField(null=True, verbose_name="finished")),
                        ("held_until", models.DateTimeField(null=True, verbose_name="held until")),
                        (
                            "attempts",
                            models.PositiveSmallIntegerField(default=0, verbose_name="attempts since the last verdict"),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="analyses", to="matches.match"
                            ),
                        ),
                        (
                            "requested_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "analysis",
                        "verbose_name_plural": "analyses",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["waiting", "running"])),
                                fields=["requested_at", "id"],
                                name="analysis_unfinished",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "engine", "nodes", "depth"),
                                name="analysis_one_for_each_way_of_judging",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status__in", ["waiting", "running"]), ("finished_at", None)),
                                    models.Q(("finished_at__isnull", False), ("status__in", ["done", "failed"])),
                                    _connector="OR",
                                ),
                                name="analysis_is_finished_or_not",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Move",
                    fields=[
                        ("ply", models.PositiveIntegerField(verbose_name="ply")),
                        (
                            "actor",
                            models.CharField(
                                choices=[("yellow", "Yellow"), ("red", "Red"), ("chance", "the dice")],
                                max_length=6,
                                verbose_name="actor",
                            ),
                        ),
                        ("text", models.TextField(verbose_name="text")),
                        ("played_at", models.DateTimeField(verbose_name="played")),
                        (
                            "thinking",
                            models.PositiveBigIntegerField(
                                blank=True, null=True, verbose_name="thinking time in milliseconds"
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="moves",
                                to="matches.match",
                            ),
                        ),
                        (
                            "is_drawn",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="drawn because time ran out"
                            ),
                        ),
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "match", "ply", blank=True, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "move",
                        "verbose_name_plural": "moves",
                        "ordering": ["match", "ply"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("actor", "chance"), ("thinking", None)),
                                    models.Q(("actor__in", ["yellow", "red"]), ("thinking__isnull", False)),
                                    _connector="OR",
                                ),
                                name="move_by_a_side_took_time",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReminderMark",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("until", models.DateTimeField(verbose_name="until")),
                    ],
                    options={
                        "verbose_name": "mark of the reminders",
                        "verbose_name_plural": "marks of the reminders",
                    },
                ),
                migrations.CreateModel(
                    name="Seek",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "changed_at",
                            matches.models.changed_at.ChangedAtField(
                                db_default=django.db.models.functions.datetime.Now(),
                                editable=False,
                                verbose_name="changed",
                            ),
                        ),
                        ("game", models.CharField(max_length=40, verbose_name="game")),
                        (
                            "colour",
                            models.CharField(
                                choices=[("yellow", "Yellow"), ("red", "Red"), ("random", "random")],
                                default="random",
                                max_length=6,
                                verbose_name="colour",
                            ),
                        ),
                        ("time_bank", models.PositiveBigIntegerField(verbose_name="time to start with, in seconds")),
                        (
                            "time_increment",
                            models.PositiveBigIntegerField(verbose_name="time that a turn adds, in seconds"),
                        ),
                        ("time_cap", models.PositiveBigIntegerField(verbose_name="most time on a clock, in seconds")),
                        ("is_rated", models.BooleanField(default=False, verbose_name="counts for the ratings")),
                        (
                            "min_rating",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="lowest rating"),
                        ),
                        (
                            "max_rating",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="highest rating"),
                        ),
                        ("admits_computers", models.BooleanField(default=False, verbose_name="admits computers")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "open"),
                                    ("taken", "taken"),
                                    ("withdrawn", "withdrawn"),
                                    ("declined", "declined"),
                                ],
                                default="open",
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("created_at", models.DateTimeField(verbose_name="created")),
                        (
                            "creator",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seeks",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "invited",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seek",
                                to="matches.match",
                            ),
                        ),
                        (
                            "rematch_of",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rematch_offers",
                                to="matches.match",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "seek",
                        "verbose_name_plural": "seeks",
                        "indexes": [
                            models.Index(condition=models.Q(("status", "open")), fields=["-id"], name="seek_open"),
                            models.Index(fields=["changed_at"], name="seek_changed"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("invited", models.F("creator")), _negated=True),
                                name="seek_invites_another_player",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("min_rating", None),
                                    ("max_rating", None),
                                    ("min_rating__lte", models.F("max_rating")),
                                    _connector="OR",
                                ),
                                name="seek_rating_limits_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("match__isnull", False), ("status", "taken")),
                                    models.Q(models.Q(("status", "taken"), _negated=True), ("match__isnull", True)),
                                    _connector="OR",
                                ),
                                name="seek_has_match_when_taken",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("rematch_of__isnull", True), ("invited__isnull", False), _connector="OR"
                                ),
                                name="seek_rematch_invites_the_opponent",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("rematch_of", "creator"),
                                name="seek_one_open_rematch_offer_a_player",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SpentSeed",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rolls", models.PositiveIntegerField(verbose_name="rolls until then")),
                        ("seed", models.BinaryField(max_length=32, verbose_name="seed")),
                        ("commitment", models.CharField(max_length=64, verbose_name="commitment")),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="spent_seeds",
                                to="matches.match",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "spent seed",
                        "verbose_name_plural": "spent seeds",
                        "ordering": ["id"],
                    },
                ),
            ]
        ),
        migrations.RunPython(lay_moves_in_order),
    ]
