import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                ("ply", models.PositiveIntegerField(default=0, verbose_name="events so far")),
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
                ("time_bank", models.PositiveBigIntegerField(verbose_name="bank in seconds")),
                ("time_increment", models.PositiveBigIntegerField(verbose_name="increment in seconds")),
                ("time_cap", models.PositiveBigIntegerField(verbose_name="cap in seconds")),
                ("bank_yellow", models.PositiveBigIntegerField(verbose_name="Yellow's bank in milliseconds")),
                ("bank_red", models.PositiveBigIntegerField(verbose_name="Red's bank in milliseconds")),
                ("turn_started_at", models.DateTimeField(verbose_name="turn started")),
                ("last_event_at", models.DateTimeField(verbose_name="last event")),
                ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="deadline")),
                ("seed", models.BinaryField(max_length=32, verbose_name="secret seed")),
                ("commitment", models.CharField(max_length=64, verbose_name="commitment")),
                ("chain", models.CharField(max_length=64, verbose_name="chain")),
                ("rolls", models.PositiveIntegerField(default=0, verbose_name="rolls so far")),
                (
                    "winner",
                    models.CharField(
                        blank=True, choices=[("yellow", "yellow"), ("red", "red")], max_length=6, verbose_name="winner"
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
                            ("resignation", "resignation"),
                            ("timeout", "timeout"),
                            ("forfeit", "forfeit"),
                            ("adjudication", "adjudication"),
                        ],
                        max_length=16,
                        verbose_name="ending",
                    ),
                ),
                ("score_yellow", models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's score")),
                ("score_red", models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's score")),
                (
                    "points_yellow",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="Yellow's match points"),
                ),
                ("points_red", models.PositiveIntegerField(blank=True, null=True, verbose_name="Red's match points")),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
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
            ],
            options={
                "verbose_name": "match",
                "verbose_name_plural": "matches",
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    models.PositiveBigIntegerField(blank=True, null=True, verbose_name="thinking time in milliseconds"),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="matches.match"
                    ),
                ),
            ],
            options={
                "verbose_name": "move",
                "verbose_name_plural": "moves",
                "ordering": ["match", "ply"],
            },
        ),
        migrations.CreateModel(
            name="Seek",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                ("time_bank", models.PositiveBigIntegerField(verbose_name="bank in seconds")),
                ("time_increment", models.PositiveBigIntegerField(verbose_name="increment in seconds")),
                ("time_cap", models.PositiveBigIntegerField(verbose_name="cap in seconds")),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="seeks", to=settings.AUTH_USER_MODEL
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
            },
        ),
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=255)),
                ("fingerprint", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField(db_index=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "playing")), fields=["deadline"], name="match_deadlines"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing")), fields=["yellow", "deadline"], name="match_running_yellow"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing")), fields=["red", "deadline"], name="match_running_red"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "finished")), fields=["-finished_at"], name="match_finished"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("yellow", models.F("red")), _negated=True), name="match_players_differ"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "bank_red__lte",
                        django.db.models.expressions.CombinedExpression(models.F("time_cap"), "*", models.Value(1000)),
                    ),
                    (
                        "bank_yellow__lte",
                        django.db.models.expressions.CombinedExpression(models.F("time_cap"), "*", models.Value(1000)),
                    ),
                ),
                name="match_banks_within_cap",
            ),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.UniqueConstraint(fields=("match", "ply"), name="move_one_for_each_ply"),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("actor", "chance"), ("thinking", None)),
                    models.Q(("actor__in", ["yellow", "red"]), ("thinking__isnull", False)),
                    _connector="OR",
                ),
                name="move_by_a_side_took_time",
            ),
        ),
        migrations.AddIndex(
            model_name="seek",
            index=models.Index(condition=models.Q(("status", "open")), fields=["-id"], name="seek_open"),
        ),
        migrations.AddConstraint(
            model_name="seek",
            constraint=models.CheckConstraint(
                condition=models.Q(("invited", models.F("creator")), _negated=True), name="seek_invites_another_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="seek",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("match__isnull", False), ("status", "taken")),
                    models.Q(models.Q(("status", "taken"), _negated=True), ("match__isnull", True)),
                    _connector="OR",
                ),
                name="seek_has_match_when_taken",
            ),
        ),
        migrations.AddConstraint(
            model_name="seek",
            constraint=models.CheckConstraint(
                condition=models.Q(("rematch_of__isnull", True), ("invited__isnull", False), _connector="OR"),
                name="seek_rematch_invites_the_opponent",
            ),
        ),
        migrations.AddConstraint(
            model_name="seek",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "open")),
                fields=("rematch_of", "creator"),
                name="seek_one_open_rematch_offer_a_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="storedanswer",
            constraint=models.UniqueConstraint(fields=("player", "key"), name="stored_answer_one_for_each_key"),
        ),
    ]
