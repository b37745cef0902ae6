"""Keep rounds that were drawn until an organiser publishes them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0036_let_seasons_seed_stages")]

    operations = [
        migrations.AddField(
            model_name="round", name="drawn", field=models.JSONField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            model_name="round", name="drawn_at", field=models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.CreateModel(
            name="ProposedRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("drawn_at", models.DateTimeField(verbose_name="drawn")),
                ("drawn", models.JSONField()),
                ("pairings", models.JSONField()),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "group",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposed_round",
                        to="tournaments.group",
                    ),
                ),
            ],
            options={"verbose_name": "proposed round", "verbose_name_plural": "proposed rounds"},
        ),
    ]
