from django.db import migrations, models

import formats.scoring


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_lay_stages_groups_and_seats"),
    ]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="point_table",
            field=models.JSONField(default=formats.scoring.write_standard_table, verbose_name="match points"),
        ),
    ]
