"""Mark the ratings that are in the lists: those of open accounts."""

from typing import Any, ClassVar

from django.db import migrations, models


def unlist_closed_accounts(apps: Any, schema_editor: Any) -> None:
    """Take the ratings of closed accounts out of the lists."""
    apps.get_model("players", "Rating").objects.filter(player__is_active=False).update(is_listed=False)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [("players", "0019_mail_players_whom_teams_invite")]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveIndex(model_name="rating", name="rating_best"),
        migrations.AddField(
            model_name="rating",
            name="is_listed",
            field=models.BooleanField(db_default=True, default=True, editable=False, verbose_name="in the list"),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("is_listed", True)), fields=["family", "-rating", "player"], name="rating_listed"
            ),
        ),
        migrations.RunPython(unlist_closed_accounts, migrations.RunPython.noop, elidable=True),
    ]
