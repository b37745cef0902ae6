from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0104_keep_discarded_draws")]

    operations = [
        migrations.AddField(
            model_name="entryinvitation",
            name="kept",
            field=models.JSONField(blank=True, default=dict, editable=False, verbose_name="kept"),
        ),
    ]
