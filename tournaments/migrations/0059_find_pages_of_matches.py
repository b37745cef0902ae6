"""Find the pages of all matches of a competition, of those that go on, and of those that have ended."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0058_give_teams_titles")]

    operations = [
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(fields=["competition", "-id"], name="fixture_of_competition"),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", True), ("is_annulled", False)),
                fields=["competition", "id"],
                name="fixture_going_on",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", True), _connector="OR"),
                fields=["competition", "-id"],
                name="fixture_ended",
            ),
        ),
        migrations.AlterField(
            model_name="fixture",
            name="competition",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="fixtures",
                to="tournaments.competition",
            ),
        ),
    ]
