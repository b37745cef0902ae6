"""Find closed accounts by an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("players", "0020_list_ratings_of_open_accounts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=models.Q(("is_active", False)), fields=["id"], name="player_closed"),
        ),
    ]
