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

FILLED = 50
"""How full PostgreSQL packs a page of standings, in percent: a row that moves finds room beside itself."""


def leave_room(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let rows be rewritten where they are."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE tournaments_standing SET (fillfactor = {FILLED})")


def pack(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Pack the rows as PostgreSQL does by itself."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE tournaments_standing RESET (fillfactor)")


class Migration(migrations.Migration):
    """Competitions, entries, fixtures, tables, ratings and logs, as migrations 0001 to 0014 have made them."""

    initial = True

    replaces: ClassVar[list[tuple[str, str]]] = [
        ("tournaments", "0001_create_events"),
        ("tournaments", "0002_note_matches_to_be_rated_and_leavers"),
        ("tournaments", "0003_pause_events_and_limit_vacation"),
        ("tournaments", "0004_let_cups_take_late_entries"),
        ("tournaments", "0005_count_changes_of_results"),
        ("tournaments", "0006_tell_players"),
        ("tournaments", "0007_free_places_from_their_index"),
        ("tournaments", "0008_bring_options_within_bounds"),
        ("tournaments", "0009_bound_options"),
        ("tournaments", "0010_tell_when_rounds_were_dated"),
        ("tournaments", "0011_date_lines_of_logs"),
        ("tournaments", "0012_note_acts_after_losses"),
        ("tournaments", "0013_note_results_in_the_history"),
        ("tournaments", "0014_call_competitions_so"),
    ]

    dependencies = [
        ("matches", "0001_squashed_0012_rename_to_plain_words"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Operation]] = [
        migrations.CreateModel(
            name="Competition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    models.PositiveBigIntegerField(default=864000, verbose_name="time to start with, in seconds"),
                ),
                (
                    "time_increment",
                    models.PositiveBigIntegerField(default=129600, verbose_name="time that a turn adds, in seconds"),
                ),
                (
                    "time_cap",
                    models.PositiveBigIntegerField(default=864000, verbose_name="most time on a clock, in seconds"),
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
                ("admits_computers", models.BooleanField(default=False, verbose_name="admits computers and bots")),
                (
                    "max_entrants",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(2)],
                        verbose_name="maximum number of players",
                    ),
                ),
                ("min_rating", models.PositiveIntegerField(blank=True, null=True, verbose_name="lowest rating")),
                ("max_rating", models.PositiveIntegerField(blank=True, null=True, verbose_name="highest rating")),
                ("password", models.CharField(blank=True, editable=False, max_length=128, verbose_name="password")),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="starts at")),
                ("starts_when_full", models.BooleanField(default=False, verbose_name="starts when full")),
                ("tiebreaks", models.JSONField(default=list, verbose_name="order of the table")),
                ("standings_stale_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("results_version", models.PositiveBigIntegerField(default=0, editable=False)),
                ("created_at", models.DateTimeField(editable=False, verbose_name="created")),
                ("started_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="started")),
                ("finished_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="finished")),
                ("paused_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="paused")),
                (
                    "organisers",
                    models.ManyToManyField(
                        blank=True,
                        related_name="organised_competitions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="organisers",
                    ),
                ),
            ],
            options={
                "verbose_name": "competition",
                "verbose_name_plural": "competitions",
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                ("seed", models.PositiveIntegerField(blank=True, null=True, verbose_name="seed")),
                ("position", models.PositiveIntegerField(blank=True, null=True, verbose_name="position")),
                ("waits_since", models.DateTimeField(blank=True, null=True, verbose_name="gets no new games since")),
                ("acted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="active again")),
                ("entered_at", models.DateTimeField(verbose_name="entered")),
                ("left_at", models.DateTimeField(blank=True, null=True, verbose_name="left")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="tournaments.competition",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to=settings.AUTH_USER_MODEL
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
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
            },
        ),
        migrations.CreateModel(
            name="RatingPool",
            fields=[
                ("family", models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="game")),
            ],
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                ("ends_at", models.DateTimeField(blank=True, null=True, verbose_name="must end by")),
                ("dated_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="end date set")),
                (
                    "cut_short_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended early"),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
            },
        ),
        migrations.CreateModel(
            name="Cup",
            fields=[
                (
                    "competition_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="tournaments.competition",
                    ),
                ),
                (
                    "format",
                    models.CharField(
                        choices=[("elimination", "single elimination"), ("round-robin", "round robin")],
                        default="elimination",
                        max_length=11,
                        verbose_name="format",
                    ),
                ),
                (
                    "seeding",
                    models.CharField(
                        choices=[("rating", "by rating"), ("draw", "by draw"), ("hand", "by hand")],
                        default="rating",
                        max_length=6,
                        verbose_name="seeds",
                    ),
                ),
                ("draw_seed", models.PositiveBigIntegerField(blank=True, null=True, verbose_name="draw seed")),
                (
                    "legs",
                    models.PositiveSmallIntegerField(
                        default=2,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(2),
                        ],
                        verbose_name="legs",
                    ),
                ),
                (
                    "replays",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[django.core.validators.MaxValueValidator(5)], verbose_name="replay pairs"
                    ),
                ),
                ("third_place", models.BooleanField(default=False, verbose_name="third-place tie")),
                (
                    "cycles",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(2),
                        ],
                        verbose_name="matches of each pair",
                    ),
                ),
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
                        help_text="Possible only in round robins without days for each round.",
                        verbose_name="entry after the start",
                    ),
                ),
                (
                    "winner",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cups_won",
                        to="tournaments.entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "cup",
                "verbose_name_plural": "cups",
            },
            bases=("tournaments.competition",),
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="standing",
                        serialize=False,
                        to="tournaments.entry",
                    ),
                ),
                ("place", models.PositiveIntegerField(blank=True, null=True, verbose_name="place")),
                ("previous_place", models.PositiveIntegerField(blank=True, null=True, verbose_name="place before")),
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
            ],
            options={
                "verbose_name": "standing",
                "verbose_name_plural": "standings",
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("action", models.CharField(max_length=20, verbose_name="action")),
                ("subject", models.CharField(blank=True, max_length=120, verbose_name="subject")),
                ("reason", models.TextField(blank=True, max_length=2000, verbose_name="reason")),
                ("logged_at", models.DateTimeField(verbose_name="at")),
                (
                    "stored_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="stored"
                    ),
                ),
                ("is_notified", models.BooleanField(default=False, editable=False, verbose_name="players notified")),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="tournaments.competition"
                    ),
                ),
            ],
            options={
                "verbose_name": "log entry",
                "verbose_name_plural": "log",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="PlaceChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField(blank=True, null=True, verbose_name="place")),
                ("changed_at", models.DateTimeField(verbose_name="changed")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="place_changes",
                        to="tournaments.entry",
                    ),
                ),
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
            ],
            options={
                "verbose_name": "change of place",
                "verbose_name_plural": "changes of place",
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="rating_changes", to="matches.match"
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
            },
        ),
        migrations.CreateModel(
            name="RatingDue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
            },
        ),
        migrations.CreateModel(
            name="Tie",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slot", models.PositiveIntegerField(verbose_name="slot")),
                ("is_third_place", models.BooleanField(default=False, verbose_name="third-place tie")),
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
            ],
            options={
                "verbose_name": "tie",
                "verbose_name_plural": "ties",
            },
        ),
        migrations.CreateModel(
            name="Fixture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("leg", models.PositiveSmallIntegerField(default=1, verbose_name="leg")),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("is_notified", models.BooleanField(default=False, editable=False, verbose_name="players notified")),
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
                ("points_red", models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's match points")),
                ("goals_yellow", models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's goals")),
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
            ],
            options={
                "verbose_name": "fixture",
                "verbose_name_plural": "fixtures",
            },
        ),
        migrations.AddField(
            model_name="round",
            name="cup",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.cup"
            ),
        ),
        migrations.CreateModel(
            name="Ladder",
            fields=[
                (
                    "competition_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="tournaments.competition",
                    ),
                ),
                (
                    "system",
                    models.CharField(
                        choices=[("points", "points ladder"), ("challenge", "challenge ladder")],
                        default="points",
                        max_length=9,
                        verbose_name="system",
                    ),
                ),
                (
                    "window_days",
                    models.PositiveIntegerField(
                        default=90,
                        validators=[django.core.validators.MaxValueValidator(3650)],
                        verbose_name="days for which results count",
                    ),
                ),
                (
                    "best_results",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="number of best results that count",
                    ),
                ),
                (
                    "least_matches",
                    models.PositiveIntegerField(default=3, verbose_name="matches before a player is ranked"),
                ),
                (
                    "games_each",
                    models.PositiveIntegerField(
                        default=2,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(50),
                        ],
                        verbose_name="running games of each player",
                    ),
                ),
                (
                    "rematch_days",
                    models.PositiveIntegerField(
                        default=14,
                        validators=[django.core.validators.MaxValueValidator(3650)],
                        verbose_name="days before the same players meet again",
                    ),
                ),
                ("most_outgoing", models.PositiveIntegerField(default=1, verbose_name="maximum games as challenger")),
                ("most_incoming", models.PositiveIntegerField(default=2, verbose_name="maximum games as challenged")),
            ],
            options={
                "verbose_name": "ladder",
                "verbose_name_plural": "ladders",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("rematch_days__lte", 3650), ("window_days__lte", 3650)),
                        name="ladder_days_bounded",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("games_each__range", (1, 50))), name="ladder_games_each_bounded"
                    ),
                ],
            },
            bases=("tournaments.competition",),
        ),
        migrations.AddIndex(
            model_name="competition",
            index=models.Index(fields=["status", "-id"], name="competition_by_status"),
        ),
        migrations.AddIndex(
            model_name="competition",
            index=models.Index(
                condition=models.Q(("standings_stale_since__isnull", False)),
                fields=["standings_stale_since"],
                name="competition_standings_stale",
            ),
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("min_rating", None),
                    ("max_rating", None),
                    ("min_rating__lte", models.F("max_rating")),
                    _connector="OR",
                ),
                name="competition_rating_limits_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(("starts_when_full", False), ("max_entrants__isnull", False), _connector="OR"),
                name="competition_full_means_a_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(("time_bank__gte", 1), ("time_cap__gte", models.F("time_bank"))),
                name="competition_bank_within_cap",
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="competition",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="tournaments.competition"
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["competition", "status"], name="entry_by_status"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("position__isnull", False)),
                fields=["competition", "position"],
                name="entry_by_position",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("competition", "player"), name="entry_one_for_each_player"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", False)), fields=("competition", "seed"), name="entry_seeds_differ"
            ),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["competition", "-id"], name="log_of_competition"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(condition=models.Q(("is_notified", False)), fields=["id"], name="log_to_notify"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["stored_at"], name="log_stored"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["competition", "stored_at"], name="log_of_competition_stored"),
        ),
        migrations.AddIndex(
            model_name="placechange",
            index=models.Index(fields=["entry", "changed_at"], name="place_change_by_entry"),
        ),
        migrations.AddIndex(
            model_name="placechange",
            index=models.Index(fields=["changed_at"], name="place_change_by_time"),
        ),
        migrations.AddIndex(
            model_name="ratingchange",
            index=models.Index(fields=["player", "family", "finished_at", "match"], name="rating_change_of_player"),
        ),
        migrations.AddIndex(
            model_name="ratingchange",
            index=models.Index(fields=["family", "finished_at", "match"], name="rating_change_in_order"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(fields=("match", "player"), name="rating_change_one_for_each_side"),
        ),
        migrations.AddIndex(
            model_name="ratingdue",
            index=models.Index(fields=["family"], name="rating_due_by_family"),
        ),
        migrations.AddConstraint(
            model_name="tie",
            constraint=models.UniqueConstraint(fields=("round", "slot", "is_third_place"), name="tie_slots_differ"),
        ),
        migrations.AddConstraint(
            model_name="tie",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("winner", None), ("winner", models.F("first")), ("winner", models.F("second")), _connector="OR"
                ),
                name="tie_won_by_one_of_both",
            ),
        ),
        migrations.AddConstraint(
            model_name="tie",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at", None), ("decided_by", "")),
                    models.Q(
                        models.Q(("decided_at", None), _negated=True), models.Q(("decided_by", ""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="tie_decided_by_something",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False)),
                fields=["competition", "finished_at"],
                name="fixture_results",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False), ("is_in_history", False)),
                fields=["competition"],
                name="fixture_without_history",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("ending", "timeout"), ("is_annulled", False)),
                fields=["competition", "finished_at"],
                name="fixture_lost_on_time",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", True), ("is_annulled", False)),
                fields=["competition"],
                name="fixture_running",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", True), ("is_notified", False), ("match__isnull", False)),
                fields=["id"],
                name="fixture_to_notify",
            ),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(
                condition=models.Q(("yellow", models.F("red")), _negated=True), name="fixture_sides_differ"
            ),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_annulled", False), ("tie__isnull", False)),
                fields=("tie", "leg"),
                name="fixture_legs_differ",
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", True), ("ends_at__isnull", False)),
                fields=["ends_at"],
                name="round_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("cup", "number"), name="round_numbers_differ"),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(condition=models.Q(("legs__in", [1, 2])), name="cup_one_or_two_legs"),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(condition=models.Q(("cycles__in", [1, 2])), name="cup_one_or_two_cycles"),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(
                condition=models.Q(("round_days", None), ("round_days__range", (1, 3650)), _connector="OR"),
                name="cup_round_days_bounded",
            ),
        ),
        migrations.RunPython(leave_room, pack),
    ]
