from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("players", "0001_create_player_and_api_token"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=models.Q(("is_computer", True)), fields=["id"], name="player_computers"),
        ),
    ]
