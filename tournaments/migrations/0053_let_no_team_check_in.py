from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0052_find_upcoming_competitions_of_a_kind"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("boards", None),
                    models.Q(("check_in_minutes", None), ("check_in_opened_at", None)),
                    _connector="OR",
                ),
                name="competition_teams_check_nobody_in",
            ),
        ),
    ]
