"""Every setting is documented, with its default and its description."""

from __future__ import annotations

import pytest
from pydantic import AliasChoices

from settings import REPOSITORY, Settings

TEXT = (REPOSITORY / "docs" / "settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_each_setting_has_its_row(name: str) -> None:
    field = Settings.model_fields[name]
    alias = field.validation_alias
    variable = alias.choices[0] if isinstance(alias, AliasChoices) else f"CATENANE_{name.upper()}"
    (row,) = [line for line in TEXT.splitlines() if line.startswith(f"| `{variable}` |")]
    assert field.description
    assert field.description in row
