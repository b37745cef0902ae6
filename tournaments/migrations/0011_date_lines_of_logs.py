from datetime import UTC, datetime

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_tell_when_rounds_were_dated"),
    ]

    # What was logged before is no news for streams that are opened again.
    operations = [
        migrations.AddField(
            model_name="logentry",
            name="stored_at",
            field=models.DateTimeField(default=datetime(1970, 1, 1, tzinfo=UTC), editable=False, verbose_name="stored"),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="stored_at",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="stored"
            ),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["stored_at"], name="log_stored"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["event", "stored_at"], name="log_of_event_stored"),
        ),
    ]
