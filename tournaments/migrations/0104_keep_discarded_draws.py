from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0103_version_pages"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="discarded_draw",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
