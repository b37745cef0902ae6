from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps
from django.utils import timezone

import players.models.folded
import players.models.mail
from database.create_models import CreateModels

LEVELS = ("beginner", "club", "strong")


def make_computers(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make a computer for each level."""
    players = apps.get_model("players", "Player").objects.using(schema_editor.connection.alias)
    for level in LEVELS:
        players.create(
            username=f"computer-{level}",
            is_computer=True,
            level=level,
            password=make_password(None),
            acted_at=timezone.now(),
        )


class Migration(migrations.Migration):
    """Accounts, ratings, tokens, vacation and mails, as they were in version 0.3.0."""

    initial = True

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations: ClassVar[list[Operation]] = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Player",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                        ),
                        (
                            "username",
                            models.CharField(
                                max_length=20,
                                unique=True,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "[A-Za-z0-9_-]{3,20}\\Z",
                                        "A username has 3 to 20 letters, digits, hyphens or underscores.",
                                    )
                                ],
                                verbose_name="username",
                            ),
                        ),
                        (
                            "email",
                            models.EmailField(blank=True, default="", max_length=254, verbose_name="e-mail address"),
                        ),
                        (
                            "email_confirmed_at",
                            models.DateTimeField(blank=True, null=True, verbose_name="e-mail address confirmed"),
                        ),
                        ("is_guest", models.BooleanField(default=False, verbose_name="guest")),
                        ("is_computer", models.BooleanField(default=False, verbose_name="computer")),
                        (
                            "client_digest",
                            models.CharField(
                                blank=True,
                                default="",
                                max_length=64,
                                verbose_name="keyed hash of a guest's client network",
                            ),
                        ),
                        (
                            "level",
                            models.CharField(
                                blank=True,
                                default="",
                                help_text="How strong a computer of this site plays.",
                                max_length=20,
                                verbose_name="level",
                            ),
                        ),
                        (
                            "closed_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="closed"),
                        ),
                        (
                            "closing_finished_at",
                            models.DateTimeField(
                                blank=True, editable=False, null=True, verbose_name="closing finished"
                            ),
                        ),
                        (
                            "erased_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="deleted"),
                        ),
                        ("sessions_version", models.PositiveIntegerField(default=0, editable=False)),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                        (
                            "acted_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last active"),
                        ),
                        (
                            "may_be_entered",
                            models.BooleanField(
                                default=False, verbose_name="organisers may enter me in competitions without asking"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "player",
                        "verbose_name_plural": "players",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_computer", True)), fields=["id"], name="player_computers"
                            ),
                            models.Index(
                                condition=models.Q(("closing_finished_at", None), ("is_active", False)),
                                fields=["id"],
                                name="player_closing",
                            ),
                            models.Index(
                                django.db.models.functions.text.Lower("email"),
                                condition=models.Q(("email", ""), _negated=True),
                                name="player_by_email",
                            ),
                            models.Index(
                                condition=models.Q(("client_digest", ""), _negated=True),
                                fields=["client_digest"],
                                name="player_guests_of_client",
                            ),
                            models.Index(condition=models.Q(("is_staff", True)), fields=["id"], name="player_staff"),
                            models.Index(
                                players.models.folded.Folded("username"),
                                condition=models.Q(("is_active", True), ("is_guest", False)),
                                name="player_by_beginning",
                            ),
                            models.Index(condition=models.Q(("is_active", False)), fields=["id"], name="player_closed"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("username"),
                                name="player_username_unique_in_any_case",
                            ),
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("email"),
                                condition=models.Q(
                                    models.Q(("email", ""), _negated=True), ("email_confirmed_at__isnull", False)
                                ),
                                name="player_confirmed_email_unique_in_any_case",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("level", ""), _negated=True),
                                fields=("level",),
                                name="player_one_computer_of_a_level",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("level", ""), ("is_computer", True), _connector="OR"),
                                name="player_only_computers_have_a_level",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("erased_at", None), ("is_active", False), _connector="OR"),
                                name="player_erased_is_closed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MailSettings",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="mail_settings",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("turns", models.BooleanField(default=True, verbose_name="when it is my turn")),
                        ("deadlines", models.BooleanField(default=True, verbose_name="before my time runs out")),
                        ("ends", models.BooleanField(default=True, verbose_name="when a match of mine is over")),
                        (
                            "competitions",
                            models.BooleanField(default=True, verbose_name="news of the competitions that I play in"),
                        ),
                        (
                            "reminder_hours",
                            models.JSONField(
                                default=players.models.mail.usual_reminders, verbose_name="hours before the deadline"
                            ),
                        ),
                        ("language", models.CharField(blank=True, max_length=10, verbose_name="language")),
                        (
                            "organising",
                            models.BooleanField(default=True, verbose_name="news of the competitions that I organise"),
                        ),
                        ("teams", models.BooleanField(default=True, verbose_name="when a team invites me")),
                    ],
                    options={
                        "verbose_name": "mail settings",
                        "verbose_name_plural": "mail settings",
                    },
                ),
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                        ("prefix", models.CharField(editable=False, max_length=16, verbose_name="begins with")),
                        ("request_digest", models.CharField(blank=True, default="", editable=False, max_length=64)),
                        ("scopes", models.JSONField(default=list, verbose_name="scopes")),
                        ("created_at", models.DateTimeField(verbose_name="created")),
                        ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
                        ("last_used_at", models.DateTimeField(blank=True, null=True, verbose_name="last used")),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "API token",
                        "verbose_name_plural": "API tokens",
                        "ordering": ["-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("request_digest", ""), _negated=True),
                                fields=("player", "request_digest"),
                                name="token_one_for_each_request",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Delivery",
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
                                    ("turn", "your turn"),
                                    ("deadline", "deadline near"),
                                    ("end", "match over"),
                                    ("competition", "news of a competition"),
                                    ("organising", "news of a competition that one organises"),
                                    ("team", "invitation to a team"),
                                    ("confirmation", "confirmation of an e-mail address"),
                                    ("reset", "password reset"),
                                    ("new-address", "e-mail address changed, sent to the old one"),
                                    ("known", "e-mail address entered for another account"),
                                ],
                                max_length=12,
                                verbose_name="kind",
                            ),
                        ),
                        ("key", models.CharField(max_length=200, unique=True, verbose_name="key")),
                        ("about", models.JSONField(default=dict, verbose_name="about")),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("pending", "to be sent"),
                                    ("sent", "sent"),
                                    ("dropped", "no longer wanted or no longer true"),
                                    ("failed", "given up"),
                                ],
                                default="pending",
                                max_length=8,
                                verbose_name="state",
                            ),
                        ),
                        ("created_at", models.DateTimeField(verbose_name="created")),
                        ("next_attempt_at", models.DateTimeField(verbose_name="next attempt")),
                        ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                        ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="done")),
                        ("last_error", models.CharField(blank=True, max_length=500, verbose_name="last error")),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "mail",
                        "verbose_name_plural": "mails",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state", "pending")),
                                fields=["next_attempt_at"],
                                name="delivery_due",
                            ),
                            models.Index(
                                condition=models.Q(("state", "failed")), fields=["-id"], name="delivery_failed"
                            ),
                            models.Index(
                                condition=models.Q(("done_at__isnull", False)), fields=["done_at"], name="delivery_done"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Rating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("family", models.CharField(max_length=40, verbose_name="game")),
                        (
                            "rating",
                            models.DecimalField(
                                decimal_places=4, default=Decimal(1500), max_digits=9, verbose_name="rating"
                            ),
                        ),
                        ("games", models.PositiveIntegerField(default=0, verbose_name="rated games")),
                        ("wins", models.PositiveIntegerField(default=0, verbose_name="wins")),
                        ("rank", models.PositiveSmallIntegerField(default=0, verbose_name="rank")),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "is_listed",
                            models.BooleanField(
                                db_default=True, default=True, editable=False, verbose_name="in the list"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "rating",
                        "verbose_name_plural": "ratings",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_listed", True)),
                                fields=["family", "-rating", "player"],
                                name="rating_listed",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "family"), name="rating_one_for_each_game")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="VacationDay",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("starts_at", models.DateTimeField(verbose_name="starts")),
                        ("is_planned", models.BooleanField(verbose_name="planned")),
                        ("noted_at", models.DateTimeField(verbose_name="noted")),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="vacation_days",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "day of vacation",
                        "verbose_name_plural": "days of vacation",
                        "ordering": ["starts_at"],
                        "indexes": [models.Index(fields=["starts_at"], name="vacation_day_by_start")],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "starts_at"), name="vacation_day_once")
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(make_computers),
    ]
