"""Find the lines of a log that everybody can read by an index: no others are read with them."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0060_name_the_team_that_a_line_invites"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(
                    (
                        "action__in",
                        [
                            "checked-in",
                            "checked-in-undone",
                            "departed",
                            "full",
                            "invitation-accepted",
                            "invitation-declined",
                            "invitation-withdrawn",
                            "invited",
                            "joined",
                            "moved-up",
                            "out",
                            "round-ending",
                            "round-overdue",
                            "startable",
                            "through",
                            "waiting-cancelled",
                            "waiting-ended",
                            "waiting-joined",
                            "waiting-left",
                            "waiting-removed",
                        ],
                    ),
                    _negated=True,
                ),
                fields=["competition", "-id"],
                name="log_listed",
            ),
        ),
    ]
