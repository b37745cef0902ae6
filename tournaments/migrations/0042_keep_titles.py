"""Keep the titles of winners, those of competitions that are over among them."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from rules_engine.registry import get_game

ROWS = 500


def award_titles(apps: Any, schema_editor: Any) -> None:
    """Give the winners of finished competitions their titles."""
    competition_model, title_model = (
        apps.get_model("tournaments", "Competition"),
        apps.get_model("tournaments", "Title"),
    )
    stage_model = apps.get_model("tournaments", "Stage")
    won = competition_model.objects.filter(status="finished", winner__isnull=False, finished_at__isnull=False)
    grouping = models.Subquery(
        stage_model.objects.filter(competition=models.OuterRef("pk"), number=1).values("grouping")[:1]
    )
    titles = []
    for competition in won.annotate(grouping=grouping).select_related("winner").order_by("pk").iterator(ROWS):
        groups = competition.grouping or {}
        kind = "champion" if groups.get("league_size") else "mini-cup" if groups.get("whenever") else "cup"
        titles.append(
            title_model(
                competition_id=competition.pk,
                player_id=competition.winner.player_id,
                kind=kind,
                family=get_game(competition.game).family,
                won_at=competition.finished_at,
            )
        )
    title_model.objects.bulk_create(titles, batch_size=ROWS)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0041_name_proposed_rounds_by_their_content"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            ],
            options={
                "verbose_name": "title",
                "verbose_name_plural": "titles",
                "indexes": [
                    models.Index(fields=["-won_at", "-competition"], name="title_by_date"),
                    models.Index(fields=["family", "-won_at", "-competition"], name="title_of_game"),
                    models.Index(fields=["kind", "-won_at", "-competition"], name="title_of_kind"),
                    models.Index(fields=["family", "kind", "-won_at", "-competition"], name="title_of_game_and_kind"),
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
        migrations.RunPython(award_titles, migrations.RunPython.noop, elidable=True),
    ]
