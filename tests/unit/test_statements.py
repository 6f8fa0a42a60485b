"""Every statement is shipped, used, commented and takes the parameters it says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errors import EngineError
from graph.statements import CYPHER, migrations, statement, statements
from settings import REPOSITORY

ROOMS = ("api", "commands", "domain", "evaluation", "graph", "ingest", "jobs", "llm", "qa")

# Names that code puts together, by the pieces they are made of: the text before and after the part that
# varies, and the file that does it.
DYNAMIC = {("paths/sample_", ""): "graph/paths.py"}


def strings() -> dict[str, set[str]]:
    """All string literals of the code (tests aside), and the files they stand in."""
    found: dict[str, set[str]] = {}
    files = [REPOSITORY / "cli.py", *(file for room in ROOMS for file in (REPOSITORY / room).rglob("*.py"))]
    for file in files:
        if not file.exists():
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.setdefault(node.value, set()).add(file.relative_to(REPOSITORY).as_posix())
    return found


def put_together(name: str, literals: dict[str, set[str]]) -> bool:
    return any(
        name.startswith(before) and name.endswith(after) and where in literals.get(before, set())
        for (before, after), where in DYNAMIC.items()
    )


def test_every_statement_is_used() -> None:
    literals = strings()
    unused = [name for name in statements() if name not in literals and not put_together(name, literals)]
    assert unused == []


def test_every_name_in_the_code_is_shipped() -> None:
    folders = {folder.name for folder in CYPHER.iterdir() if folder.is_dir()}
    prefixes = {before for before, _ in DYNAMIC}
    named = {
        text: files
        for text, files in strings().items()
        if text.split("/")[0] in folders
        and text.count("/") == 1
        and " " not in text
        and text not in prefixes
        and any(file.startswith("graph/") for file in files)
    }
    missing = {text: files for text, files in named.items() if text not in statements()}
    assert missing == {}
    assert named, "the code names statements"


def test_every_file_says_what_it_does() -> None:
    for file in CYPHER.rglob("*.cypher"):
        first = file.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("// "), file
        assert not first.startswith("// :name"), f"{file}: a line that says what the file is comes first"


def test_every_parameter_is_described() -> None:
    """The comment of its block, or of its file, mentions each parameter."""
    for name, each in statements().items():
        content = (CYPHER / f"{name.split('.')[0]}.cypher").read_text(encoding="utf-8")
        comments = "\n".join(line for line in content.splitlines() if line.startswith("//"))
        missing = [parameter for parameter in each.parameters if f"${parameter}" not in comments]
        assert not missing, f"{name} does not describe {missing}"


def test_schema_files_are_numbered_without_gaps() -> None:
    shipped = migrations()
    assert [number for number, _, _ in shipped] == list(range(1, len(shipped) + 1))
    for _, name, commands in shipped:
        assert commands, name
        assert all("IF NOT EXISTS" in command for command in commands), name


def test_group_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.cypher").write_text("// Says one. $n.\nRETURN $n AS n\n", encoding="utf-8")
    (tmp_path / "folder" / "many.cypher").write_text(
        "// More.\n\n// :name first\n// First.\nRETURN 'http://x' AS a\n\n// :name second\nRETURN $b, $c\n",
        encoding="utf-8",
    )
    found = statements(tmp_path)
    assert list(found) == ["folder/many.first", "folder/many.second", "folder/one"]
    assert found["folder/many.first"].text == "RETURN 'http://x' AS a"
    assert found["folder/many.second"].parameters == {"b", "c"}


@pytest.mark.parametrize(
    "content",
    [
        "RETURN 1",
        "// A file.\n// :name a\nRETURN 1\n// :name a\nRETURN 2",
        "// A file.\n// :name a\n// no statement\n",
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.cypher").write_text(content, encoding="utf-8")
    with pytest.raises(EngineError):
        statements(tmp_path)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(EngineError, match="no/such"):
        statement("no/such")
