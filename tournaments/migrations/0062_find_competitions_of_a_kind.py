"""Find the competitions of a kind by an index, for the lists of the admin."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0061_find_the_lines_that_everybody_can_read"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="competition",
            index=models.Index(fields=["kind", "-id"], name="competition_by_kind"),
        ),
    ]
