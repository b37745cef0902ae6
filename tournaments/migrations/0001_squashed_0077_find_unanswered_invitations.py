from __future__ import annotations

from typing import ClassVar

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

import formats.scoring.points
from database.create_models import CreateModels

FILLED = 50
"""The share of a page of standings that PostgreSQL fills, in percent: a row that moves finds room beside itself."""


def leave_room(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let rows be rewritten where they are."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE tournaments_standing SET (fillfactor = {FILLED})")


class Migration(migrations.Migration):
    """Competitions, teams, entries, fixtures, tables, ratings, titles and logs, as they were in version 0.3.0."""

    initial = True

    dependencies = [
        ("matches", "0001_squashed_0020_summarise_positions"),
        ("players", "0001_squashed_0021_find_closed_accounts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Operation]] = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Competition",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80, verbose_name="name")),
                        ("slug", models.SlugField(max_length=80, unique=True, verbose_name="slug")),
                        ("description", models.TextField(blank=True, max_length=4000, verbose_name="description")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("draft", "in preparation"),
                                    ("open", "open for entry"),
                                    ("closed", "entry closed, not started"),
                                    ("running", "running"),
                                    ("finished", "finished"),
                                    ("cancelled", "cancelled"),
                                ],
                                default="draft",
                                editable=False,
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("game", models.CharField(max_length=40, verbose_name="game")),
                        (
                            "time_bank",
                            models.PositiveBigIntegerField(
                                default=864000, verbose_name="time to start with, in seconds"
                            ),
                        ),
                        (
                            "time_increment",
                            models.PositiveBigIntegerField(
                                default=129600, verbose_name="time that a turn adds, in seconds"
                            ),
                        ),
                        (
                            "time_cap",
                            models.PositiveBigIntegerField(
                                default=864000, verbose_name="most time on a clock, in seconds"
                            ),
                        ),
                        (
                            "vacation_limit",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="How many days each player can use in this competition. 0: none. Empty: all that they have.",
                                null=True,
                                verbose_name="maximum days of vacation",
                            ),
                        ),
                        ("is_rated", models.BooleanField(default=True, verbose_name="counts for the ratings")),
                        (
                            "admits_computers",
                            models.BooleanField(default=False, verbose_name="admits computers and bots"),
                        ),
                        (
                            "max_entrants",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(2)],
                                verbose_name="maximum number of players",
                            ),
                        ),
                        (
                            "min_rating",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="lowest rating"),
                        ),
                        (
                            "max_rating",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="highest rating"),
                        ),
                        (
                            "password",
                            models.CharField(blank=True, editable=False, max_length=128, verbose_name="password"),
                        ),
                        ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="starts at")),
                        ("starts_when_full", models.BooleanField(default=False, verbose_name="starts when full")),
                        ("created_at", models.DateTimeField(editable=False, verbose_name="created")),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="started"),
                        ),
                        (
                            "finished_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="finished"),
                        ),
                        (
                            "paused_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="paused"),
                        ),
                        (
                            "organisers",
                            models.ManyToManyField(
                                blank=True,
                                related_name="organised_competitions",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="organisers",
                            ),
                        ),
                        (
                            "point_table",
                            models.JSONField(
                                default=formats.scoring.points.write_standard_table, verbose_name="match points"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("ladder", "ladder"), ("cup", "cup")],
                                default="cup",
                                editable=False,
                                max_length=6,
                                verbose_name="kind",
                            ),
                        ),
                        (
                            "winner",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="competitions_won",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "creator",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="created_competitions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "hidden_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="hidden"),
                        ),
                        (
                            "options_version",
                            models.PositiveIntegerField(
                                default=0, editable=False, verbose_name="version of the options"
                            ),
                        ),
                        (
                            "helpers",
                            models.ManyToManyField(
                                blank=True,
                                editable=False,
                                related_name="helped_competitions",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="helpers",
                            ),
                        ),
                        ("by_invitation", models.BooleanField(default=False, verbose_name="only for invited players")),
                        (
                            "season",
                            models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name="season"),
                        ),
                        (
                            "series",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seasons",
                                to="tournaments.series",
                                verbose_name="series",
                            ),
                        ),
                        ("entrants", models.PositiveIntegerField(default=0, editable=False, verbose_name="players")),
                        (
                            "leavers",
                            models.PositiveIntegerField(
                                default=0, editable=False, verbose_name="players who have left"
                            ),
                        ),
                        (
                            "final_of",
                            models.PositiveSmallIntegerField(
                                blank=True, editable=False, null=True, verbose_name="final of the year"
                            ),
                        ),
                        (
                            "check_in_minutes",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="Players can check in for so many minutes before the time of the start. Those who have not done so by then do not play. Empty: nobody has to.",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10080),
                                ],
                                verbose_name="minutes of check-in before the start",
                            ),
                        ),
                        (
                            "check_in_opened_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="check-in opened"),
                        ),
                        ("pairing_due_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        (
                            "boards",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="Teams with so many boards join. Empty: single players do.",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(2),
                                    django.core.validators.MaxValueValidator(6),
                                ],
                                verbose_name="boards of a team",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "competition",
                        "verbose_name_plural": "competitions",
                        "indexes": [
                            models.Index(fields=["status", "-id"], name="competition_by_status"),
                            models.Index(
                                condition=models.Q(("status__in", ("finished", "cancelled"))),
                                fields=["kind", "-id"],
                                name="competition_ended",
                            ),
                            models.Index(
                                condition=models.Q(("status__in", ("open", "closed"))),
                                fields=["kind", "-id"],
                                name="competition_upcoming",
                            ),
                            models.Index(fields=["kind", "-id"], name="competition_by_kind"),
                            models.Index(
                                condition=models.Q(("status__in", ("draft", "open", "closed", "running"))),
                                fields=["series", "season"],
                                name="competition_not_ended",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("min_rating", None),
                                    ("max_rating", None),
                                    ("min_rating__lte", models.F("max_rating")),
                                    _connector="OR",
                                ),
                                name="competition_rating_limits_in_order",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("starts_when_full", False), ("max_entrants__isnull", False), _connector="OR"
                                ),
                                name="competition_full_means_a_number",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("time_bank__gte", 1), ("time_cap__gte", models.F("time_bank"))),
                                name="competition_bank_within_cap",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["ladder", "cup"])), name="competition_kind_known"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("by_invitation", False), ("password", ""), _connector="OR"),
                                name="competition_one_way_of_admission",
                            ),
                            models.UniqueConstraint(fields=("series", "season"), name="competition_seasons_differ"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("final_of", None), ("season", None), ("series", None)),
                                    models.Q(("final_of", None), ("season__gte", 1), ("series__isnull", False)),
                                    models.Q(("final_of__gte", 1), ("season", None), ("series__isnull", False)),
                                    _connector="OR",
                                ),
                                name="competition_season_of_a_series",
                            ),
                            models.UniqueConstraint(fields=("series", "final_of"), name="competition_finals_differ"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("kind", "cup"),
                                    models.Q(("check_in_minutes", None), ("check_in_opened_at", None)),
                                    _connector="OR",
                                ),
                                name="competition_check_in_of_cups",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("boards", None),
                                    models.Q(("boards__range", (2, 6)), ("kind", "cup")),
                                    _connector="OR",
                                ),
                                name="competition_boards_of_cups",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("boards", None),
                                    models.Q(("check_in_minutes", None), ("check_in_opened_at", None)),
                                    _connector="OR",
                                ),
                                name="competition_teams_check_nobody_in",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("active", "plays"),
                                    ("on-hold", "leaves after the running games"),
                                    ("gone", "has left"),
                                    ("replaced", "replaced"),
                                ],
                                default="active",
                                max_length=8,
                                verbose_name="status",
                            ),
                        ),
                        ("draw", models.PositiveBigIntegerField(verbose_name="draw")),
                        (
                            "waits_since",
                            models.DateTimeField(blank=True, null=True, verbose_name="gets no new games since"),
                        ),
                        (
                            "acted_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="active again"),
                        ),
                        ("entered_at", models.DateTimeField(verbose_name="entered")),
                        ("left_at", models.DateTimeField(blank=True, null=True, verbose_name="left")),
                        (
                            "competition",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "replaces",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="replaced_by",
                                to="tournaments.entry",
                                verbose_name="replaces",
                            ),
                        ),
                        (
                            "inactive_since",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="left for doing nothing since"
                            ),
                        ),
                        (
                            "checked_in_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="checked in"),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="tournaments.team",
                                verbose_name="team",
                            ),
                        ),
                        ("known_games", models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                    ],
                    options={
                        "verbose_name": "entry",
                        "verbose_name_plural": "entries",
                        "indexes": [
                            models.Index(fields=["competition", "status", "left_at"], name="entry_by_status"),
                            models.Index(
                                condition=models.Q(("waits_since__isnull", False)),
                                fields=["competition"],
                                name="entry_waiting",
                            ),
                            models.Index(
                                condition=models.Q(("status", "active"), ("waits_since__isnull", True)),
                                fields=["competition", "known_games"],
                                name="entry_by_known_games",
                            ),
                            models.Index(fields=["competition", "id"], name="entry_of_competition"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("competition", "player"), name="entry_one_for_each_player"),
                            models.UniqueConstraint(
                                condition=models.Q(("team__isnull", False)),
                                fields=("competition", "team"),
                                name="entry_one_for_each_team",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingPool",
                    fields=[
                        (
                            "family",
                            models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="game"),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Round",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField(verbose_name="number")),
                        ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                        ("ends_at", models.DateTimeField(blank=True, null=True, verbose_name="must end by")),
                        (
                            "dated_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="end date set"),
                        ),
                        (
                            "cut_short_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended early"),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rounds",
                                to="tournaments.group",
                            ),
                        ),
                        ("overdue_of", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("reminded_of", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("drawn", models.JSONField(blank=True, editable=False, null=True)),
                        ("drawn_at", models.DateTimeField(blank=True, editable=False, null=True)),
                    ],
                    options={
                        "verbose_name": "round",
                        "verbose_name_plural": "rounds",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at__isnull", True), ("ends_at__isnull", False)),
                                fields=["ends_at"],
                                name="round_ends",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "number"), name="round_numbers_differ")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Standing",
                    fields=[
                        ("place", models.PositiveIntegerField(blank=True, null=True, verbose_name="place")),
                        (
                            "previous_place",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="place before"),
                        ),
                        ("played", models.PositiveIntegerField(default=0, verbose_name="played")),
                        ("won", models.PositiveIntegerField(default=0, verbose_name="won")),
                        ("drawn", models.PositiveIntegerField(default=0, verbose_name="drawn")),
                        ("lost", models.PositiveIntegerField(default=0, verbose_name="lost")),
                        ("as_red", models.PositiveIntegerField(default=0, verbose_name="played as Red")),
                        ("goals_for", models.PositiveIntegerField(default=0, verbose_name="goals")),
                        ("goals_against", models.PositiveIntegerField(default=0, verbose_name="goals against")),
                        ("points", models.PositiveIntegerField(default=0, verbose_name="match points")),
                        ("values", models.JSONField(default=dict, verbose_name="other tie-breaks")),
                        ("decided_by", models.CharField(blank=True, max_length=20, verbose_name="decided by")),
                        (
                            "seat",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="standing",
                                serialize=False,
                                to="tournaments.seat",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="standings",
                                to="tournaments.group",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "standing",
                        "verbose_name_plural": "standings",
                    },
                ),
                migrations.CreateModel(
                    name="LogEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("action", models.CharField(max_length=20, verbose_name="action")),
                        ("subject", models.CharField(blank=True, max_length=120, verbose_name="subject")),
                        ("reason", models.TextField(blank=True, max_length=2000, verbose_name="reason")),
                        ("logged_at", models.DateTimeField(verbose_name="at")),
                        (
                            "stored_at",
                            models.DateTimeField(
                                db_default=django.db.models.functions.datetime.Now(),
                                editable=False,
                                verbose_name="stored",
                            ),
                        ),
                        (
                            "is_notified",
                            models.BooleanField(default=False, editable=False, verbose_name="players notified"),
                        ),
                        (
                            "actor",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="log",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "concerns",
                            models.ManyToManyField(
                                blank=True,
                                editable=False,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="concerns",
                            ),
                        ),
                        ("changes", models.JSONField(blank=True, default=list, editable=False, verbose_name="changes")),
                        (
                            "pinned_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="pinned"),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="tournaments.team",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "log entry",
                        "verbose_name_plural": "log",
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["competition", "-id"], name="log_of_competition"),
                            models.Index(
                                condition=models.Q(("is_notified", False)), fields=["id"], name="log_to_notify"
                            ),
                            models.Index(fields=["stored_at"], name="log_stored"),
                            models.Index(fields=["competition", "stored_at"], name="log_of_competition_stored"),
                            models.Index(
                                condition=models.Q(("pinned_at__isnull", False)),
                                fields=["competition"],
                                name="log_pinned",
                            ),
                            models.Index(
                                condition=models.Q(
                                    (
                                        "action__in",
                                        [
                                            "checked-in",
                                            "checked-in-undone",
                                            "departed",
                                            "full",
                                            "invitation-accepted",
                                            "invitation-declined",
                                            "invitation-withdrawn",
                                            "invited",
                                            "joined",
                                            "moved-up",
                                            "out",
                                            "round-ending",
                                            "round-overdue",
                                            "startable",
                                            "through",
                                            "waiting-cancelled",
                                            "waiting-ended",
                                            "waiting-joined",
                                            "waiting-left",
                                            "waiting-removed",
                                        ],
                                    ),
                                    _negated=True,
                                ),
                                fields=["competition", "-id"],
                                name="log_listed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlaceChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("place", models.PositiveIntegerField(blank=True, null=True, verbose_name="place")),
                        ("changed_at", models.DateTimeField(verbose_name="changed")),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="place_changes",
                                to="matches.match",
                            ),
                        ),
                        (
                            "seat",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="place_changes",
                                to="tournaments.seat",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                db_index=False,
                                editable=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="tournaments.competition",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "change of place",
                        "verbose_name_plural": "changes of place",
                        "indexes": [
                            models.Index(fields=["changed_at"], name="place_change_by_time"),
                            models.Index(fields=["seat", "changed_at"], name="place_change_by_seat"),
                            models.Index(fields=["competition", "-id"], name="place_change_by_competition"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("family", models.CharField(max_length=40, verbose_name="game")),
                        ("finished_at", models.DateTimeField(verbose_name="match finished")),
                        ("before", models.DecimalField(decimal_places=4, max_digits=9, verbose_name="rating before")),
                        ("after", models.DecimalField(decimal_places=4, max_digits=9, verbose_name="rating after")),
                        ("games", models.PositiveIntegerField(verbose_name="rated games")),
                        ("wins", models.PositiveIntegerField(verbose_name="wins")),
                        ("rank", models.PositiveSmallIntegerField(verbose_name="rank")),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rating_changes",
                                to="matches.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rating_changes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "change of rating",
                        "verbose_name_plural": "changes of rating",
                        "indexes": [
                            models.Index(
                                fields=["player", "family", "finished_at", "match"], name="rating_change_of_player"
                            ),
                            models.Index(fields=["family", "finished_at", "match"], name="rating_change_in_order"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "player"), name="rating_change_one_for_each_side")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingDue",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("family", models.CharField(max_length=40, verbose_name="game")),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="matches.match"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "match to be rated",
                        "verbose_name_plural": "matches to be rated",
                        "indexes": [models.Index(fields=["family"], name="rating_due_by_family")],
                    },
                ),
                migrations.CreateModel(
                    name="Tie",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slot", models.PositiveIntegerField(verbose_name="slot")),
                        ("decided_by", models.CharField(blank=True, max_length=20, verbose_name="decided by")),
                        ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                        (
                            "first",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ties_as_first",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="ties", to="tournaments.round"
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ties_as_second",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "winner",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ties_won",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "part",
                            models.CharField(
                                choices=[
                                    ("main", "main bracket"),
                                    ("third-place", "third place"),
                                    ("losers", "losers' bracket"),
                                    ("final", "final"),
                                    ("reset", "second final"),
                                ],
                                default="main",
                                max_length=11,
                                verbose_name="part",
                            ),
                        ),
                        ("first_seed", models.PositiveIntegerField(blank=True, editable=False, null=True)),
                        (
                            "first_from",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sends_to_first",
                                to="tournaments.tie",
                            ),
                        ),
                        (
                            "first_takes",
                            models.CharField(
                                blank=True,
                                choices=[("winner", "winner"), ("loser", "loser")],
                                editable=False,
                                max_length=6,
                            ),
                        ),
                        ("second_seed", models.PositiveIntegerField(blank=True, editable=False, null=True)),
                        (
                            "second_from",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sends_to_second",
                                to="tournaments.tie",
                            ),
                        ),
                        (
                            "second_takes",
                            models.CharField(
                                blank=True,
                                choices=[("winner", "winner"), ("loser", "loser")],
                                editable=False,
                                max_length=6,
                            ),
                        ),
                        ("notified_of", models.DateTimeField(blank=True, editable=False, null=True)),
                    ],
                    options={
                        "verbose_name": "tie",
                        "verbose_name_plural": "ties",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("winner", None),
                                    ("winner", models.F("first")),
                                    ("winner", models.F("second")),
                                    _connector="OR",
                                ),
                                name="tie_won_by_one_of_both",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("decided_at", None), ("decided_by", "")),
                                    models.Q(
                                        models.Q(("decided_at", None), _negated=True),
                                        models.Q(("decided_by", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="tie_decided_by_something",
                            ),
                            models.UniqueConstraint(fields=("round", "part", "slot"), name="tie_slots_differ"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("first_from", None), ("first_takes", "")),
                                    models.Q(
                                        ("first_from__isnull", False), models.Q(("first_takes", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="tie_first_taken_from_a_tie",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("second_from", None), ("second_takes", "")),
                                    models.Q(
                                        ("second_from__isnull", False), models.Q(("second_takes", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="tie_second_taken_from_a_tie",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Fixture",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("leg", models.PositiveSmallIntegerField(default=1, verbose_name="leg")),
                        ("created_at", models.DateTimeField(verbose_name="created")),
                        (
                            "is_notified",
                            models.BooleanField(default=False, editable=False, verbose_name="players notified"),
                        ),
                        (
                            "is_in_history",
                            models.BooleanField(default=False, editable=False, verbose_name="in the history of places"),
                        ),
                        ("is_annulled", models.BooleanField(default=False, verbose_name="annulled")),
                        ("counted_at", models.DateTimeField(blank=True, null=True, verbose_name="counted")),
                        ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                        ("ending", models.CharField(blank=True, max_length=16, verbose_name="ending")),
                        (
                            "points_yellow",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's match points"),
                        ),
                        (
                            "points_red",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's match points"),
                        ),
                        (
                            "goals_yellow",
                            models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's goals"),
                        ),
                        ("goals_red", models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's goals")),
                        (
                            "challenger",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="challenges",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixtures",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "match",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="fixture",
                                to="matches.match",
                            ),
                        ),
                        (
                            "red",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="fixtures_as_red",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "yellow",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="fixtures_as_yellow",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixtures",
                                to="tournaments.round",
                            ),
                        ),
                        (
                            "tie",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixtures",
                                to="tournaments.tie",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixtures",
                                to="tournaments.group",
                            ),
                        ),
                        (
                            "annulment",
                            models.CharField(
                                blank=True,
                                choices=[("decided", "by an organiser"), ("ended", "with the competition")],
                                default="",
                                editable=False,
                                max_length=7,
                            ),
                        ),
                        (
                            "replay",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="replayed",
                                to="tournaments.fixture",
                            ),
                        ),
                        ("board", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="board")),
                        (
                            "red_player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="boards_as_red",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "yellow_player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="boards_as_yellow",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "fixture",
                        "verbose_name_plural": "fixtures",
                        "indexes": [
                            models.Index(
                                condition=models.Q(
                                    ("counted_at__isnull", True), ("is_notified", False), ("match__isnull", False)
                                ),
                                fields=["id"],
                                name="fixture_to_notify",
                            ),
                            models.Index(
                                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False)),
                                fields=["group", "finished_at"],
                                name="fixture_results",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("counted_at__isnull", False), ("is_annulled", False), ("is_in_history", False)
                                ),
                                fields=["group"],
                                name="fixture_without_history",
                            ),
                            models.Index(
                                condition=models.Q(("ending", "timeout"), ("is_annulled", False)),
                                fields=["group", "finished_at"],
                                name="fixture_lost_on_time",
                            ),
                            models.Index(
                                condition=models.Q(("counted_at__isnull", True), ("is_annulled", False)),
                                fields=["competition", "yellow", "red"],
                                name="fixture_running",
                            ),
                            models.Index(
                                condition=models.Q(("counted_at__isnull", True), ("is_annulled", False)),
                                fields=["competition", "id"],
                                name="fixture_going_on",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("counted_at__isnull", False), ("is_annulled", True), _connector="OR"
                                ),
                                fields=["competition", "-id"],
                                name="fixture_ended",
                            ),
                            models.Index(fields=["competition", "-id", "is_annulled"], name="fixture_of_competition"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("yellow", models.F("red")), _negated=True),
                                name="fixture_sides_differ",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("counted_at", None),
                                        ("ending", ""),
                                        ("finished_at", None),
                                        ("goals_red", None),
                                        ("goals_yellow", None),
                                        ("points_red", None),
                                        ("points_yellow", None),
                                    ),
                                    models.Q(
                                        ("counted_at__isnull", False),
                                        ("finished_at__isnull", False),
                                        ("goals_red__isnull", False),
                                        ("goals_yellow__isnull", False),
                                        ("points_red__isnull", False),
                                        ("points_yellow__isnull", False),
                                        models.Q(("ending", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="fixture_counted_with_result",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("board", None), ("red_player", None), ("yellow_player", None)),
                                    ("board__gte", 1),
                                    _connector="OR",
                                ),
                                name="fixture_players_of_boards",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("board", None), ("is_annulled", False), ("tie__isnull", False)),
                                fields=("tie", "leg"),
                                name="fixture_legs_differ",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("board__isnull", False), ("is_annulled", False), ("tie__isnull", False)
                                ),
                                fields=("tie", "leg", "board"),
                                name="fixture_boards_of_legs_differ",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Stage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="stages",
                                to="tournaments.competition",
                            ),
                        ),
                        ("format", models.CharField(max_length=40, verbose_name="format")),
                        ("options", models.JSONField(default=dict, verbose_name="options")),
                        ("tiebreaks", models.JSONField(default=list, verbose_name="order of the table")),
                        (
                            "seeding",
                            models.CharField(
                                choices=[
                                    ("rating", "by rating"),
                                    ("draw", "by draw"),
                                    ("hand", "by hand"),
                                    ("season", "by the seasons before, then by rating"),
                                ],
                                default="rating",
                                max_length=6,
                                verbose_name="seeds",
                            ),
                        ),
                        ("draw_seed", models.PositiveBigIntegerField(blank=True, null=True, verbose_name="draw seed")),
                        (
                            "round_days",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(3650),
                                ],
                                verbose_name="days for each round",
                            ),
                        ),
                        (
                            "at_round_end",
                            models.CharField(
                                choices=[
                                    ("wait", "wait for them"),
                                    ("adjudicate", "adjudicate by the score"),
                                    ("forfeit", "the player to move loses"),
                                ],
                                default="wait",
                                max_length=10,
                                verbose_name="when the time of a round is over",
                            ),
                        ),
                        (
                            "late_entry",
                            models.BooleanField(
                                default=False,
                                help_text="Possible only if the format allows it, with days for each round only if each round is drawn anew.",
                                verbose_name="entry after the start",
                            ),
                        ),
                        ("grouping", models.JSONField(blank=True, null=True, verbose_name="groups")),
                        ("advance", models.JSONField(blank=True, null=True, verbose_name="who goes on")),
                        ("next_begins_at", models.DateTimeField(blank=True, editable=False, null=True)),
                    ],
                    options={
                        "verbose_name": "stage",
                        "verbose_name_plural": "stages",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("next_begins_at__isnull", False)),
                                fields=["next_begins_at"],
                                name="stage_next_begins",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("competition", "number"), name="stage_numbers_differ"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("round_days", None), ("round_days__range", (1, 3650)), _connector="OR"
                                ),
                                name="stage_round_days_bounded",
                            ),
                        ],
                        "ordering": ("number",),
                    },
                ),
                migrations.CreateModel(
                    name="Group",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="groups",
                                to="tournaments.stage",
                            ),
                        ),
                        ("pairing_due_since", models.DateTimeField(blank=True, editable=False, null=True)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="started"),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended")),
                        ("standings_stale_since", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("results_version", models.PositiveBigIntegerField(default=0, editable=False)),
                        ("notified_of", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("window_since", models.DateTimeField(blank=True, editable=False, null=True)),
                    ],
                    options={
                        "verbose_name": "group",
                        "verbose_name_plural": "groups",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("pairing_due_since__isnull", False)),
                                fields=["pairing_due_since"],
                                name="group_pairing_due",
                            ),
                            models.Index(
                                condition=models.Q(("standings_stale_since__isnull", False)),
                                fields=["standings_stale_since"],
                                name="group_standings_stale",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("stage", "number"), name="group_numbers_differ")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Seat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seats",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seats",
                                to="tournaments.group",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seats",
                                to="tournaments.stage",
                            ),
                        ),
                        ("seed", models.PositiveIntegerField(blank=True, null=True, verbose_name="seed")),
                        ("position", models.PositiveIntegerField(blank=True, null=True, verbose_name="position")),
                        ("has_place", models.BooleanField(db_default=False, default=False, editable=False)),
                        ("is_on_ladder", models.BooleanField(db_default=False, default=False, editable=False)),
                    ],
                    options={
                        "verbose_name": "seat",
                        "verbose_name_plural": "seats",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("position__isnull", False)),
                                fields=["group", "position"],
                                name="seat_by_position",
                            ),
                            models.Index(
                                condition=models.Q(("has_place", False), ("is_on_ladder", True)),
                                fields=["group", "entry"],
                                name="seat_on_ladder_without_place",
                            ),
                            models.Index(
                                condition=models.Q(("has_place", True), ("is_on_ladder", False)),
                                fields=["group"],
                                name="seat_left_with_place",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "entry"), name="seat_one_for_each_entry"),
                            models.UniqueConstraint(
                                condition=models.Q(("seed__isnull", False)),
                                fields=("group", "seed"),
                                name="seat_seeds_differ",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Ladder",
                    fields=[],
                    options={
                        "verbose_name": "ladder",
                        "verbose_name_plural": "ladders",
                        "proxy": True,
                    },
                    bases=("tournaments.competition",),
                ),
                migrations.CreateModel(
                    name="Cup",
                    fields=[],
                    options={
                        "verbose_name": "cup",
                        "verbose_name_plural": "cups",
                        "proxy": True,
                    },
                    bases=("tournaments.competition",),
                ),
                migrations.CreateModel(
                    name="Bye",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("is_asked", models.BooleanField(default=False, verbose_name="asked for")),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.round"
                            ),
                        ),
                        (
                            "seat",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.seat"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "bye",
                        "verbose_name_plural": "byes",
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "seat"), name="bye_one_for_each_seat")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ByeRequest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "round_number",
                            models.PositiveIntegerField(
                                validators=[django.core.validators.MinValueValidator(1)], verbose_name="round"
                            ),
                        ),
                        ("requested_at", models.DateTimeField(verbose_name="requested")),
                        (
                            "seat",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="bye_request",
                                to="tournaments.seat",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "request for a bye",
                        "verbose_name_plural": "requests for byes",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("round_number__gte", 1)), name="bye_request_of_a_round"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Note",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField(max_length=2000, verbose_name="text")),
                        ("written_at", models.DateTimeField(verbose_name="written")),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="author",
                            ),
                        ),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notes",
                                to="tournaments.competition",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "note",
                        "verbose_name_plural": "notes",
                        "ordering": ["-id"],
                        "indexes": [models.Index(fields=["competition", "-id"], name="note_of_competition")],
                    },
                ),
                migrations.CreateModel(
                    name="EntryInvitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "not answered"),
                                    ("accepted", "accepted"),
                                    ("declined", "declined"),
                                    ("withdrawn", "withdrawn"),
                                ],
                                default="waiting",
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("created_at", models.DateTimeField(verbose_name="invited")),
                        ("asked_at", models.DateTimeField(blank=True, null=True, verbose_name="asked")),
                        ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "invited_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entry_invitations",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "replaces",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="tournaments.entry",
                                verbose_name="replaces",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entry_invitations",
                                to="tournaments.team",
                                verbose_name="team",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "invitation to a competition",
                        "verbose_name_plural": "invitations to competitions",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "waiting")), fields=["player"], name="invitation_waiting"
                            ),
                            models.Index(fields=["invited_by", "created_at"], name="invitation_of_organiser"),
                            models.Index(
                                condition=models.Q(("asked_at__isnull", False), ("status", "waiting")),
                                fields=["competition"],
                                name="invitation_unanswered",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("answered_at__isnull", False), ("status__in", ["accepted", "declined"])),
                                    models.Q(("answered_at", None), ("status__in", ["waiting", "withdrawn"])),
                                    _connector="OR",
                                ),
                                name="invitation_answered_if_answered",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("team", None)),
                                fields=("competition", "player"),
                                name="invitation_one_for_each_player",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("team__isnull", False)),
                                fields=("competition", "team"),
                                name="invitation_one_for_each_team",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Series",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=64, verbose_name="name")),
                        ("slug", models.SlugField(max_length=80, unique=True, verbose_name="slug")),
                        (
                            "rhythm",
                            models.CharField(
                                choices=[
                                    ("weekly", "every week"),
                                    ("monthly", "every month"),
                                    ("dates", "on dates of the year"),
                                    ("after-end", "when the last one has ended"),
                                ],
                                max_length=9,
                                verbose_name="next season",
                            ),
                        ),
                        ("anchor", models.DateTimeField(verbose_name="first date")),
                        ("days", models.JSONField(blank=True, default=list, verbose_name="dates of the year")),
                        (
                            "announce_days",
                            models.PositiveSmallIntegerField(
                                default=7,
                                validators=[django.core.validators.MaxValueValidator(60)],
                                verbose_name="days of entry before a season",
                            ),
                        ),
                        (
                            "carry_over",
                            models.CharField(default="nobody", max_length=40, verbose_name="who comes along"),
                        ),
                        ("created_at", models.DateTimeField(editable=False, verbose_name="created")),
                        ("ended_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended")),
                        (
                            "overlap",
                            models.BooleanField(
                                default=False,
                                help_text="A season starts on its date even if earlier ones still go on.",
                                verbose_name="seasons overlap",
                            ),
                        ),
                        (
                            "year_final",
                            models.BooleanField(
                                default=False,
                                help_text="The winners of a year's seasons meet in a final: everybody plays everybody twice.",
                                verbose_name="final of the year",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "series",
                        "verbose_name_plural": "series",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("rhythm__in", ["weekly", "monthly", "dates", "after-end"])),
                                name="series_rhythm_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("announce_days__lte", 60)), name="series_announce_days_bounded"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProposedRound",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField(verbose_name="number")),
                        ("drawn_at", models.DateTimeField(verbose_name="drawn")),
                        ("drawn", models.JSONField()),
                        ("pairings", models.JSONField()),
                        (
                            "group",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="proposed_round",
                                to="tournaments.group",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "proposed round",
                        "verbose_name_plural": "proposed rounds",
                    },
                ),
                migrations.CreateModel(
                    name="TableSection",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField(verbose_name="number")),
                        ("seats", models.JSONField(verbose_name="seats")),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="table_sections",
                                to="tournaments.group",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "section of a table",
                        "verbose_name_plural": "sections of tables",
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "number"), name="table_section_numbers_differ")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WaitingPlayer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("joined_at", models.DateTimeField(verbose_name="on the list since")),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="waiting_players",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="waiting_places",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("checked_in_at", models.DateTimeField(blank=True, null=True, verbose_name="checked in")),
                        (
                            "moved_up_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="moved up at the start"),
                        ),
                    ],
                    options={
                        "verbose_name": "player on a waiting list",
                        "verbose_name_plural": "players on waiting lists",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("competition", "player"), name="waiting_once_for_each_player"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Title",
                    fields=[
                        (
                            "competition",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="won_title",
                                serialize=False,
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("champion", "champion"),
                                    ("year", "winner of the year"),
                                    ("month", "winner of the month"),
                                    ("cup", "cup winner"),
                                    ("mini-cup", "mini cup winner"),
                                ],
                                max_length=8,
                                verbose_name="kind",
                            ),
                        ),
                        ("family", models.CharField(max_length=40, verbose_name="game")),
                        ("won_at", models.DateTimeField(verbose_name="won")),
                        (
                            "player",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="titles",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "members",
                            models.ManyToManyField(
                                blank=True, related_name="titles_with_teams", to=settings.AUTH_USER_MODEL
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="titles",
                                to="tournaments.team",
                                verbose_name="team",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "title",
                        "verbose_name_plural": "titles",
                        "indexes": [
                            models.Index(fields=["-won_at", "-competition"], name="title_by_date"),
                            models.Index(fields=["family", "-won_at", "-competition"], name="title_of_game"),
                            models.Index(fields=["kind", "-won_at", "-competition"], name="title_of_kind"),
                            models.Index(
                                fields=["family", "kind", "-won_at", "-competition"], name="title_of_game_and_kind"
                            ),
                            models.Index(fields=["player", "-won_at", "-competition"], name="title_of_player"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["champion", "year", "month", "cup", "mini-cup"])),
                                name="title_kind_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Forecast",
                    fields=[
                        (
                            "competition",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="forecast",
                                serialize=False,
                                to="tournaments.competition",
                            ),
                        ),
                        ("made_at", models.DateTimeField(verbose_name="made")),
                        ("due_at", models.DateTimeField(verbose_name="due")),
                        ("stage_number", models.PositiveSmallIntegerField(default=1, verbose_name="stage")),
                        ("round_number", models.PositiveIntegerField(blank=True, null=True, verbose_name="round")),
                        ("round_early", models.DateTimeField(blank=True, null=True)),
                        ("round_likely", models.DateTimeField(blank=True, null=True)),
                        ("round_late", models.DateTimeField(blank=True, null=True)),
                        ("stage_early", models.DateTimeField(blank=True, null=True)),
                        ("stage_likely", models.DateTimeField(blank=True, null=True)),
                        ("stage_late", models.DateTimeField(blank=True, null=True)),
                        ("whole_early", models.DateTimeField(blank=True, null=True)),
                        ("whole_likely", models.DateTimeField(blank=True, null=True)),
                        ("whole_late", models.DateTimeField(blank=True, null=True)),
                        ("holds_up", models.JSONField(default=list)),
                    ],
                    options={
                        "verbose_name": "forecast",
                        "verbose_name_plural": "forecasts",
                        "indexes": [models.Index(fields=["due_at"], name="forecast_due")],
                    },
                ),
                migrations.CreateModel(
                    name="AbsentPlayer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("entry_number", models.PositiveBigIntegerField(verbose_name="number of the entry")),
                        ("draw", models.PositiveBigIntegerField(verbose_name="draw")),
                        ("entered_at", models.DateTimeField(verbose_name="entered")),
                        (
                            "competition",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="absent_players",
                                to="tournaments.competition",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="absences",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "absent player",
                        "verbose_name_plural": "absent players",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("competition", "player"), name="absent_once_for_each_player"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Team",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="name")),
                        ("folded_name", models.CharField(editable=False, max_length=120, unique=True)),
                        ("slug", models.SlugField(max_length=80, unique=True, verbose_name="slug")),
                        (
                            "pattern",
                            models.CharField(
                                choices=[
                                    ("plain", "plain"),
                                    ("halves", "halves"),
                                    ("stripes", "stripes"),
                                    ("hoops", "hoops"),
                                    ("sash", "sash"),
                                    ("sleeves", "sleeves of another colour"),
                                ],
                                default="plain",
                                max_length=7,
                                verbose_name="pattern",
                            ),
                        ),
                        (
                            "first_colour",
                            models.CharField(
                                choices=[
                                    ("white", "white"),
                                    ("yellow", "yellow"),
                                    ("orange", "orange"),
                                    ("red", "red"),
                                    ("claret", "claret"),
                                    ("purple", "purple"),
                                    ("navy", "navy"),
                                    ("blue", "blue"),
                                    ("sky", "sky blue"),
                                    ("green", "green"),
                                    ("brown", "brown"),
                                    ("black", "black"),
                                ],
                                default="white",
                                max_length=6,
                                verbose_name="first colour",
                            ),
                        ),
                        (
                            "second_colour",
                            models.CharField(
                                choices=[
                                    ("white", "white"),
                                    ("yellow", "yellow"),
                                    ("orange", "orange"),
                                    ("red", "red"),
                                    ("claret", "claret"),
                                    ("purple", "purple"),
                                    ("navy", "navy"),
                                    ("blue", "blue"),
                                    ("sky", "sky blue"),
                                    ("green", "green"),
                                    ("brown", "brown"),
                                    ("black", "black"),
                                ],
                                default="black",
                                max_length=6,
                                verbose_name="second colour",
                            ),
                        ),
                        ("created_at", models.DateTimeField(verbose_name="founded")),
                        ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                        (
                            "captain",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="captained_teams",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="captain",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "team",
                        "verbose_name_plural": "teams",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("pattern__in", ["plain", "halves", "stripes", "hoops", "sash", "sleeves"])
                                ),
                                name="team_pattern_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "first_colour__in",
                                        [
                                            "white",
                                            "yellow",
                                            "orange",
                                            "red",
                                            "claret",
                                            "purple",
                                            "navy",
                                            "blue",
                                            "sky",
                                            "green",
                                            "brown",
                                            "black",
                                        ],
                                    ),
                                    (
                                        "second_colour__in",
                                        [
                                            "white",
                                            "yellow",
                                            "orange",
                                            "red",
                                            "claret",
                                            "purple",
                                            "navy",
                                            "blue",
                                            "sky",
                                            "green",
                                            "brown",
                                            "black",
                                        ],
                                    ),
                                ),
                                name="team_colours_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TeamMembership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("invited", "invited"),
                                    ("member", "member"),
                                    ("declined", "declined"),
                                    ("withdrawn", "withdrawn"),
                                    ("left", "left"),
                                ],
                                default="invited",
                                max_length=9,
                                verbose_name="status",
                            ),
                        ),
                        ("invited_at", models.DateTimeField(verbose_name="invited")),
                        ("joined_at", models.DateTimeField(blank=True, null=True, verbose_name="member since")),
                        ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                        (
                            "invited_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="team_memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="tournaments.team",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "membership of a team",
                        "verbose_name_plural": "memberships of teams",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at", None)), fields=["player"], name="membership_of_player"
                            ),
                            models.Index(fields=["team", "invited_at"], name="membership_invited"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at", None)),
                                fields=("team", "player"),
                                name="membership_one_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at", None), ("joined_at", None), ("status", "invited")),
                                    models.Q(("ended_at", None), ("joined_at__isnull", False), ("status", "member")),
                                    models.Q(
                                        ("ended_at__isnull", False),
                                        ("joined_at", None),
                                        ("status__in", ["declined", "withdrawn"]),
                                    ),
                                    models.Q(
                                        ("ended_at__isnull", False), ("joined_at__isnull", False), ("status", "left")
                                    ),
                                    _connector="OR",
                                ),
                                name="membership_dated_by_status",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LineUp",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round_number", models.PositiveIntegerField(default=0, verbose_name="round")),
                        ("players", models.JSONField(verbose_name="players")),
                        ("set_at", models.DateTimeField(verbose_name="set")),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="line_ups",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "set_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "line-up",
                        "verbose_name_plural": "line-ups",
                        "constraints": [
                            models.UniqueConstraint(fields=("entry", "round_number"), name="line_up_one_for_each_round")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingCount",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("family", models.CharField(max_length=40, verbose_name="game")),
                        ("points", models.IntegerField(verbose_name="points")),
                        ("players", models.IntegerField(default=0, verbose_name="players")),
                    ],
                    options={
                        "verbose_name": "number of rated players",
                        "verbose_name_plural": "numbers of rated players",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("family", "points"), name="rating_count_one_for_each_number"
                            )
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(leave_room),
    ]
