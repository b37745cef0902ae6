from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0001_create_matches_moves_and_seeks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing"), ("side", "yellow")),
                fields=["yellow", "last_event_at"],
                name="match_yellow_to_act",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing"), ("side", "red")),
                fields=["red", "last_event_at"],
                name="match_red_to_act",
            ),
        ),
    ]
