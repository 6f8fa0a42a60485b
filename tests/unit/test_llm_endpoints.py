"""The TOML file of endpoints: what it holds, and how its faults are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from errors import InputError, ModelError
from llm import load_endpoints, pick_endpoint
from settings import Settings


def write(home: Path, text: str) -> Settings:
    (home / "endpoints.toml").write_text(text, encoding="utf-8")
    return Settings(home=home)


def test_no_file_means_no_endpoints(tmp_path: Path) -> None:
    assert load_endpoints(Settings(home=tmp_path)) == {}


def test_a_file_that_is_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_endpoints(Settings(home=tmp_path, endpoints=tmp_path / "other.toml"))


def test_endpoints_are_read_with_their_prices(tmp_path: Path) -> None:
    settings = write(
        tmp_path,
        """
        [endpoints.small]
        base_url = "http://127.0.0.1:1/v1"
        model = "small-1"
        prices = { input = 1.0, output = 4.0 }
        parameters = { temperature = 0.2 }
        """,
    )
    endpoint = pick_endpoint(settings, "small")
    assert (endpoint.name, endpoint.model, endpoint.prices.output) == ("small", "small-1", 4.0)
    assert endpoint.parameters == {"temperature": 0.2}
    assert endpoint.api_key() == "none"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not = [toml", "not valid TOML"),
        ('[endpoints.a]\nmodel = "m"', "endpoint a: base_url"),
        ('[endpoints.a]\nbase_url = "u"\nmodel = "m"\nprice = 1', "endpoint a: price"),
        ('[endpoints.baseline]\nbase_url = "u"\nmodel = "m"', "built-in"),
        ('[endpoint.a]\nbase_url = "u"', "tables named"),
    ],
)
def test_faults_name_file_endpoint_and_field(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        load_endpoints(write(tmp_path, text))
    assert "endpoints.toml" in str(caught.value)


def test_an_unknown_name_lists_the_known(tmp_path: Path) -> None:
    settings = write(tmp_path, '[endpoints.a]\nbase_url = "u"\nmodel = "m"')
    with pytest.raises(InputError, match=r"'b' \(there is a\)"):
        pick_endpoint(settings, "b")


def test_a_key_that_is_not_set_is_told_by_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    settings = write(tmp_path, '[endpoints.a]\nbase_url = "u"\nmodel = "m"\napi_key_env = "SOME_KEY"')
    endpoint = pick_endpoint(settings, "a")
    with pytest.raises(ModelError, match="SOME_KEY"):
        endpoint.api_key()
    monkeypatch.setenv("SOME_KEY", "k")
    assert endpoint.api_key() == "k"
