from __future__ import annotations

from typing import ClassVar

import django.core.validators
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

CONSTRAINTS = {
    "event": ["event_rating_limits_in_order", "event_full_means_a_number", "event_bank_within_cap"],
    "entry": ["entry_one_for_each_player", "entry_seeds_differ"],
}
INDEXES = {
    "event": ["event_by_status", "event_standings_wanted"],
    "entry": ["entry_by_status", "entry_by_position"],
    "fixture": [
        "fixture_results",
        "fixture_running",
        "fixture_untold",
        "fixture_lost_on_time",
        "fixture_without_history",
    ],
    "logentry": ["log_of_event", "log_untold", "log_of_event_stored"],
}


RENAMES = """
ALTER TABLE tournaments_event RENAME TO tournaments_competition;
ALTER TABLE tournaments_event_organisers RENAME TO tournaments_competition_organisers;
ALTER TABLE tournaments_competition_organisers RENAME COLUMN event_id TO competition_id;
ALTER TABLE tournaments_entry RENAME COLUMN event_id TO competition_id;
ALTER TABLE tournaments_standing RENAME COLUMN event_id TO competition_id;
ALTER TABLE tournaments_fixture RENAME COLUMN event_id TO competition_id;
ALTER TABLE tournaments_logentry RENAME COLUMN event_id TO competition_id;
ALTER TABLE tournaments_cup RENAME COLUMN event_ptr_id TO competition_ptr_id;
ALTER TABLE tournaments_ladder RENAME COLUMN event_ptr_id TO competition_ptr_id;
"""
REVERSED = """
ALTER TABLE tournaments_ladder RENAME COLUMN competition_ptr_id TO event_ptr_id;
ALTER TABLE tournaments_cup RENAME COLUMN competition_ptr_id TO event_ptr_id;
ALTER TABLE tournaments_logentry RENAME COLUMN competition_id TO event_id;
ALTER TABLE tournaments_fixture RENAME COLUMN competition_id TO event_id;
ALTER TABLE tournaments_standing RENAME COLUMN competition_id TO event_id;
ALTER TABLE tournaments_entry RENAME COLUMN competition_id TO event_id;
ALTER TABLE tournaments_competition_organisers RENAME COLUMN competition_id TO event_id;
ALTER TABLE tournaments_competition_organisers RENAME TO tournaments_event_organisers;
ALTER TABLE tournaments_competition RENAME TO tournaments_event;
"""


class RenameBaseModel(migrations.RenameModel):
    """Rename a model and the bases of the models that inherit from it, which Django's own operation forgets."""

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Rename the model in the state."""
        # Models that were rendered before would be rendered again half renamed.
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)
        old, new = (f"{app_label}.{name.lower()}" for name in (self.old_name, self.new_name))
        for model in state.models.values():
            model.bases = tuple(new if isinstance(base, str) and base.lower() == old else base for base in model.bases)


class Migration(migrations.Migration):
    """Rename to plain words: competitions, tie-breaks, stale tables, notified players."""

    dependencies: ClassVar[list[tuple[str, str]]] = [
        ("matches", "0012_rename_to_plain_words"),
        ("tournaments", "0013_note_results_in_the_history"),
    ]

    operations: ClassVar[list[Operation]] = [
        *[
            migrations.RemoveConstraint(model_name=model, name=name)
            for model, names in CONSTRAINTS.items()
            for name in names
        ],
        *[migrations.RemoveIndex(model_name=model, name=name) for model, names in INDEXES.items() for name in names],
        # By hand: Django's operations would make every table that refers to these anew on SQLite.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(RENAMES, REVERSED)],
            state_operations=[
                RenameBaseModel("Event", "Competition"),
                *[
                    migrations.RenameField(model_name=model, old_name="event", new_name="competition")
                    for model in ("entry", "standing", "fixture", "logentry")
                ],
                *[
                    migrations.RenameField(model_name=model, old_name="event_ptr", new_name="competition_ptr")
                    for model in ("cup", "ladder")
                ],
            ],
        ),
        migrations.RenameField(model_name="fixture", old_name="is_told", new_name="is_notified"),
        migrations.RenameField(model_name="logentry", old_name="is_told", new_name="is_notified"),
        migrations.RenameField(
            model_name="competition", old_name="standings_wanted_at", new_name="standings_stale_since"
        ),
        migrations.RenameField(model_name="competition", old_name="metrics", new_name="tiebreaks"),
        migrations.AlterModelOptions(
            name="competition",
            options={"verbose_name": "competition", "verbose_name_plural": "competitions"},
        ),
        migrations.AlterField(
            model_name="competition",
            name="organisers",
            field=models.ManyToManyField(
                blank=True,
                related_name="organised_competitions",
                to=settings.AUTH_USER_MODEL,
                verbose_name="organisers",
            ),
        ),
        migrations.AlterField(
            model_name="competition",
            name="vacation_limit",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many each player may use in this competition: 0 for none, empty for as many as he has.",
                null=True,
                verbose_name="most days of vacation",
            ),
        ),
        migrations.AlterField(
            model_name="standing",
            name="values",
            field=models.JSONField(default=dict, verbose_name="other tiebreaks"),
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
            index=models.Index(fields=["competition", "stored_at"], name="log_of_competition_stored"),
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
        migrations.AlterField(
            model_name="competition",
            name="max_entrants",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(2)],
                verbose_name="maximum number of players",
            ),
        ),
        migrations.AlterField(
            model_name="competition",
            name="slug",
            field=models.SlugField(max_length=80, unique=True, verbose_name="slug"),
        ),
        migrations.AlterField(
            model_name="competition",
            name="status",
            field=models.CharField(
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
        migrations.AlterField(
            model_name="competition",
            name="time_bank",
            field=models.PositiveBigIntegerField(default=864000, verbose_name="time to start with, in seconds"),
        ),
        migrations.AlterField(
            model_name="competition",
            name="time_cap",
            field=models.PositiveBigIntegerField(default=864000, verbose_name="most time on a clock, in seconds"),
        ),
        migrations.AlterField(
            model_name="competition",
            name="time_increment",
            field=models.PositiveBigIntegerField(default=129600, verbose_name="time that a turn adds, in seconds"),
        ),
        migrations.AlterField(
            model_name="competition",
            name="vacation_limit",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many days each player can use in this competition. 0: none. Empty: all that they have.",
                null=True,
                verbose_name="maximum days of vacation",
            ),
        ),
        migrations.AlterField(
            model_name="cup",
            name="at_round_end",
            field=models.CharField(
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
        migrations.AlterField(
            model_name="cup",
            name="cycles",
            field=models.PositiveSmallIntegerField(
                default=1,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2)],
                verbose_name="matches of each pair",
            ),
        ),
        migrations.AlterField(
            model_name="cup",
            name="late_entry",
            field=models.BooleanField(
                default=False,
                help_text="Possible only in round robins without days for each round.",
                verbose_name="entry after the start",
            ),
        ),
        migrations.AlterField(
            model_name="cup",
            name="round_days",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(3650),
                ],
                verbose_name="days for each round",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="acted_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="active again"),
        ),
        migrations.AlterField(
            model_name="fixture",
            name="is_notified",
            field=models.BooleanField(default=False, editable=False, verbose_name="players notified"),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="best_results",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="number of best results that count",
            ),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="games_each",
            field=models.PositiveIntegerField(
                default=2,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)],
                verbose_name="running games of each player",
            ),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="least_matches",
            field=models.PositiveIntegerField(default=3, verbose_name="matches before a player is ranked"),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="most_incoming",
            field=models.PositiveIntegerField(default=2, verbose_name="maximum games as challenged"),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="most_outgoing",
            field=models.PositiveIntegerField(default=1, verbose_name="maximum games as challenger"),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="rematch_days",
            field=models.PositiveIntegerField(
                default=14,
                validators=[django.core.validators.MaxValueValidator(3650)],
                verbose_name="days before the same players meet again",
            ),
        ),
        migrations.AlterField(
            model_name="ladder",
            name="window_days",
            field=models.PositiveIntegerField(
                default=90,
                validators=[django.core.validators.MaxValueValidator(3650)],
                verbose_name="days for which results count",
            ),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="is_notified",
            field=models.BooleanField(default=False, editable=False, verbose_name="players notified"),
        ),
        migrations.AlterField(
            model_name="round",
            name="cut_short_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended early"),
        ),
        migrations.AlterField(
            model_name="round",
            name="dated_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="end date set"),
        ),
        migrations.AlterField(
            model_name="standing",
            name="values",
            field=models.JSONField(default=dict, verbose_name="other tie-breaks"),
        ),
    ]
