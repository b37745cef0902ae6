from django.db import migrations, models

from players.models.folded import Folded


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0017_find_staff"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                Folded("username"), condition=models.Q(is_active=True, is_guest=False), name="player_by_beginning"
            ),
        ),
    ]
