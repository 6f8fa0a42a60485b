"""The transformers recogniser: a clear word without the extra; with it, a tiny model in the real pipeline."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from errors import InputError
from ingest.entities.transformer import TransformerRecogniser, _trimmed

HERE = importlib.util.find_spec("transformers") is not None and importlib.util.find_spec("torch") is not None
WORDS = [
    "the",
    "oxidation",
    "of",
    "methanol",
    "ethanol",
    "benzene",
    "gives",
    "a",
    "product",
    "and",
    "is",
    "catalysed",
    "by",
    "copper",
]
CHEMICALS = {"methanol", "ethanol", "benzene", "copper"}


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def import_module(name: str, package: str | None = None) -> Any:
        if name == "transformers":
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", import_module)
    with pytest.raises(InputError, match=r"catenane\[models\]"):
        TransformerRecogniser("some/model").recognise("Methanol.")


def test_marks_at_the_edges_are_taken_off() -> None:
    text = " methanol, "
    assert _trimmed(text, 0, len(text)) == (1, 9)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A one-layer BERT that knows the chemicals of `WORDS`, trained here in a few seconds and saved."""
    if not HERE:
        pytest.skip("needs the extra `models` (torch, transformers)")
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    folder = tmp_path_factory.mktemp("model")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    backend: Any = importlib.import_module("tokenizers")
    table = {word: index for index, word in enumerate(vocabulary)}
    tokenizer = backend.Tokenizer(backend.models.WordPiece(table, unk_token="[UNK]"))
    tokenizer.normalizer = backend.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = backend.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = backend.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    torch.manual_seed(1)
    labels = ["O", "B-Chemical", "I-Chemical"]
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
        num_labels=3,
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
    )
    network = transformers.BertForTokenClassification(config)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(60):
        picks = torch.randint(0, len(WORDS), (16, 18))
        ids = torch.cat([torch.full((16, 1), 2), picks + 7, torch.full((16, 1), 3)], dim=1)
        gold = torch.tensor([[0, *(int(WORDS[i] in CHEMICALS) for i in row), 0] for row in picks.tolist()])
        loss = network(input_ids=ids, labels=gold).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    network.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def test_a_model_from_a_folder(model: Path) -> None:
    text = "The oxidation of methanol gives a product, and copper is by Benzene."
    found = TransformerRecogniser(str(model)).recognise(text)
    assert [one.surface for one in found] == ["methanol", "copper", "Benzene"]
    assert all(text[one.start : one.end] == one.surface for one in found)


def test_a_text_past_the_models_window_is_read_to_its_end(model: Path) -> None:
    """The model reads 24 tokens at a time; the text has about 150 words."""
    text = ("the oxidation of a product is catalysed and " * 18) + "by copper and the product of ethanol."
    found = TransformerRecogniser(str(model)).recognise(text)
    assert [one.surface for one in found] == ["copper", "ethanol"]


def test_a_model_that_is_not_there(model: Path) -> None:
    with pytest.raises(InputError, match="cannot be loaded"):
        TransformerRecogniser(str(model / "nothing")).recognise("Methanol.")


def test_nothing_is_imported_until_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **options: Any) -> Any:
        assert not name.startswith(("torch", "transformers"))
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert TransformerRecogniser("some/model").name == "transformers:some/model"
