"""The command line as such: help, exit codes, one document on standard output, one line of error."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

import cli
from api.serve import bind
from commands.spool import readable
from errors import ConflictError
from jobs.service import ServicePlace, running_service
from jobs.store import JobStore
from settings import REPOSITORY, Settings, get_settings


@pytest.fixture(autouse=True)
def _home(home: Path) -> Iterator[None]:
    """Each test has a home of its own; settings are read anew."""
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


def commands() -> list[tuple[str, ...]]:
    """Every command, as the words that name it."""
    found: list[tuple[str, ...]] = []
    for name, command in get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found += [(name, verb) for verb in inner] if inner else [(name,)]
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_has_help_with_an_example_of_itself(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*words, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Example:" in shown
    assert f"catenane {' '.join(words)}" in shown.split("Example:")[1]


@pytest.mark.parametrize("words", [one for one in commands() if one != ("serve",)], ids=" ".join)
def test_every_command_but_serve_prints_json_when_asked(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.run([*words, "--help"])
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["documents", "nonsense"],
        ["documents", "show"],
        ["stats", "--colour"],
        ["paths", "sample", "--hops", "9"],
        ["datasets", "import", "wikipedia", "x.json"],
        ["questions", "generate", "--name", "x", "--hops", "1,two"],
        ["ingest", "/no/such/file"],
        ["evaluate", "run"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1, shown.err
    assert "Traceback" not in shown.err


def test_what_is_not_there_is_one_line_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["jobs", "show", "job_x"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "catenane: there is no job job_x\n"


def test_with_json_an_error_is_one_document_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["jobs", "show", "job_x", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document == {
        "error": {"type": "not-found", "title": "Not found", "detail": "there is no job job_x"}
    }


def test_jobs_are_listed_and_cancelled(capsys: pytest.CaptureFixture[str]) -> None:
    store = JobStore(get_settings())
    job = store.submit("ingest", {"paths": ["/a"]})
    store.close()
    assert cli.run(["jobs", "list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["items"]
    assert (listed["id"], listed["kind"], listed["state"]) == (job.id, "ingest", "queued")
    assert cli.run(["jobs", "cancel", job.id]) == 0
    assert "cancelled" in capsys.readouterr().out
    assert cli.run(["jobs", "show", job.id, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["state"], shown["stages"], shown["trace"]) == ("cancelled", {}, None)
    assert cli.run(["jobs", "retry", job.id]) == 1
    assert "is cancelled, not failed" in capsys.readouterr().err


def test_a_dry_run_of_an_import_needs_no_engine(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[42]", encoding="utf-8")
    assert cli.run(["datasets", "import", "hotpotqa", str(broken), "--dry-run", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["read"], document["imported"], document["dry_run"]) == (1, 0, True)
    assert document["errors"][0]["reason"]
    assert not (home / "engine").exists()


def test_standard_input_is_kept_where_a_job_can_read_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content, suffix in (
        (b"%PDF-1.7 ...", ".pdf"),
        (b"  <?xml version='1.0'?>", ".xml"),
        (b"words", ".txt"),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        path = readable("-")
        assert path.suffix == suffix
        assert path.read_bytes() == content
        assert path.parent == home / "spool"


def test_engine_status_starts_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["engine", "status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "stopped"


def test_a_second_service_on_a_home_is_refused_with_the_address_of_the_first() -> None:
    settings = get_settings()
    assert running_service(settings) is None
    first = ServicePlace(settings)
    first.take("http://127.0.0.1:1234/")
    assert running_service(settings) == "http://127.0.0.1:1234/"
    with pytest.raises(ConflictError, match=r"http://127\.0\.0\.1:1234/"):
        ServicePlace(settings).take("http://127.0.0.1:5678/")
    first.leave()
    assert running_service(settings) is None
    taken = bind("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(ConflictError, match=f"port {port} of 127.0.0.1 is taken"):
        bind("127.0.0.1", port)
    other = bind("127.0.0.1", port, or_free=True)
    assert other.getsockname()[1] != port
    taken.close()
    other.close()


def test_help_loads_none_of_the_rooms() -> None:
    heavy = ("dbos", "fastapi", "neo4j", "numpy", "openai", "sqlalchemy")
    code = f"import sys, cli; cli.run(['--help']); print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_settings_are_those_of_the_environment(home: Path) -> None:
    assert isinstance(get_settings(), Settings)
    assert get_settings().home == home


def test_a_setting_that_cannot_be_used_is_one_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CATENANE_PORT", "abc")
    get_settings.cache_clear()
    assert cli.run(["jobs", "list", "--json"]) == 2
    out, err = capsys.readouterr()
    assert "CATENANE_PORT=abc" in err
    assert json.loads(out)["error"]["type"] == "invalid-input"
    get_settings.cache_clear()


def test_wrong_usage_is_a_document_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["documents", "list", "--limit", "abc", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["type"] == "wrong-usage"
    assert "--limit" in err
