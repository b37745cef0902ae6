"""Ask players before they run a competition. Those who run one already go on."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

UNLISTED = (
    "checked-in checked-in-undone departed full helper-invited invitation-accepted invitation-declined "
    "invitation-withdrawn invited joined moved-up organiser-invited out role-accepted role-declined role-withdrawn "
    "round-ending round-overdue startable through waiting-cancelled waiting-ended waiting-joined waiting-left "
    "waiting-removed"
).split()


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0083_bound_moments_that_people_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.CreateModel(
            name="RoleInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("organiser", "organiser"), ("helper", "helper")], max_length=9, verbose_name="role"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "not answered"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="waiting",
                        max_length=9,
                        verbose_name="status",
                    ),
                ),
                ("created_at", models.DateTimeField(verbose_name="invited")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="role_invitations",
                        to="tournaments.competition",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="role_invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation to run a competition",
                "verbose_name_plural": "invitations to run competitions",
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "waiting")), fields=["player"], name="role_invitation_waiting"
                    ),
                    models.Index(fields=["invited_by", "created_at"], name="role_invitation_of_organiser"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("competition", "player"), name="role_invitation_one_for_each_player"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["organiser", "helper"])), name="role_invitation_role_known"
                    ),
                ],
            },
        ),
        migrations.RemoveIndex(model_name="logentry", name="log_listed"),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(("action__in", UNLISTED), _negated=True),
                fields=["competition", "-id"],
                name="log_listed",
            ),
        ),
    ]
