"""A migration's operation that makes the tables of many models, which may refer to each other in a circle."""

from typing import Any

from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.operations.models import CreateModel


class CreateModels(Operation):
    """Create models in any order, with their fields in the order of their columns.

    Operations for single models let Django render whatever refers to a model anew after each of them, which takes
    seconds for fifty models, and a circle of foreign keys is closed by fields that are added later. Here all models
    are known before the first table is made, and rendered once.
    """

    category = OperationCategory.ADDITION
    reversible = False

    def __init__(self, models: list[CreateModel]) -> None:
        """Take the operations that would create the models one by one."""
        self.models = models

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Add all models to the state; all that it holds is rendered anew when it is next asked for."""
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Make the tables, also those between models, and their indexes."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what this does, as ``migrate --plan`` shows it."""
        return f"Create models {', '.join(model.name for model in self.models)}"
