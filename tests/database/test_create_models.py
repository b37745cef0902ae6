"""Many models made by one operation of a migration."""

import pytest
from django.db import connection, models
from django.db.migrations import CreateModel
from django.db.migrations.state import ProjectState

from database.create_models import CreateModels

pytestmark = pytest.mark.both_databases


def test_models_that_refer_to_each_other_have_their_columns_in_the_order_of_their_fields(
    transactional_db: None,
) -> None:
    def refer(to: str) -> models.ForeignKey[models.Model, models.Model]:
        return models.ForeignKey(f"players.{to}", on_delete=models.CASCADE, related_name="+")

    left = [("id", models.AutoField(primary_key=True)), ("right", refer("Right")), ("size", models.IntegerField())]
    right = [
        ("left", refer("Left")),
        ("id", models.AutoField(primary_key=True)),
        ("all", models.ManyToManyField("players.Left")),
    ]
    operation = CreateModels([CreateModel("Left", left), CreateModel("Right", right)])
    assert operation.describe() == "Create models Left, Right"
    before = ProjectState()
    assert not before.apps.get_models()
    state = before.clone()
    operation.state_forwards("players", state)
    with connection.schema_editor() as editor:
        operation.database_forwards("players", editor, before, state)
    try:
        with connection.cursor() as cursor:
            columns = {
                table: [each.name for each in connection.introspection.get_table_description(cursor, table)]
                for table in ("players_left", "players_right", "players_right_all")
            }
            keys = connection.introspection.get_relations(cursor, "players_left")
    finally:
        with connection.schema_editor() as editor:
            for name in ("right", "left"):
                editor.delete_model(state.apps.get_model("players", name))
    assert columns == {
        "players_left": ["id", "right_id", "size"],
        "players_right": ["left_id", "id"],
        "players_right_all": ["id", "right_id", "left_id"],
    }
    assert keys["right_id"][:2] == ("id", "players_right")
