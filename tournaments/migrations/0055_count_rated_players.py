"""Keep how many players in the list of each family of games have which rating."""

from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models import Count
from django.db.models.functions import Floor


def count_players(apps: Any, schema_editor: Any) -> None:
    """Count the listed players of each family by the whole points of their ratings, while nobody rates any."""
    ratings = apps.get_model("players", "Rating").objects.filter(is_listed=True).order_by()
    pool = apps.get_model("tournaments", "RatingPool").objects
    list(pool.select_for_update().order_by("pk"))
    rows = ratings.values_list("family", Floor("rating")).annotate(players=Count("pk"))
    counts = apps.get_model("tournaments", "RatingCount")
    counts.objects.bulk_create(
        [counts(family=family, points=int(points), players=players) for family, points, players in rows],
        batch_size=1000,
    )


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0020_list_ratings_of_open_accounts"),
        ("tournaments", "0054_ask_for_boards_in_forms"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.CreateModel(
            name="RatingCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("family", models.CharField(max_length=40, verbose_name="game")),
                ("points", models.IntegerField(verbose_name="points")),
                ("players", models.IntegerField(default=0, verbose_name="players")),
            ],
            options={
                "verbose_name": "number of rated players",
                "verbose_name_plural": "numbers of rated players",
                "constraints": [
                    models.UniqueConstraint(fields=("family", "points"), name="rating_count_one_for_each_number")
                ],
            },
        ),
        migrations.RunPython(count_players, migrations.RunPython.noop, elidable=True),
    ]
