"""A token-classification model as recogniser, through `transformers` (the extra `models`)."""

from __future__ import annotations

import importlib
import re
from functools import cached_property
from typing import Any

from errors import InputError
from ingest.models import Mention

_VERSION = "1"
_STRIDE = 64  # tokens that neighbouring windows share


class TransformerRecogniser:
    """Any checkpoint with B-/I- (or plain) labels, by name or folder; loaded on first use.

    A text longer than the model's window is read in overlapping windows: without them the
    pipeline would drop the rest of it silently.
    """

    def __init__(self, model: str, *, device: str | None = None, batch_size: int = 8) -> None:
        self.model = model
        self.name = f"transformers:{model}"
        self._device, self._batch_size = device, batch_size

    @cached_property
    def fingerprint(self) -> str:
        return f"{self.name}-{_VERSION}"

    @cached_property
    def _pipeline(self) -> Any:
        try:
            transformers = importlib.import_module("transformers")
        except ImportError as error:
            raise InputError(
                f"The recogniser {self.name} needs PyTorch and transformers: pip install 'catenane[models]'."
            ) from error
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(self.model)
            model = transformers.AutoModelForTokenClassification.from_pretrained(self.model)
        except (OSError, ValueError) as error:
            raise InputError(f"The model {self.model!r} cannot be loaded: {error}") from error
        if not getattr(tokenizer, "is_fast", False):
            raise InputError(f"The model {self.model!r} has no fast tokenizer, which character offsets need.")
        window = _window(tokenizer, model)
        if window <= 4:
            raise InputError(f"The model {self.model!r} reads {window} tokens at a time, which is too few.")
        tokenizer.model_max_length = window
        return transformers.pipeline(
            "token-classification",
            model=model,
            tokenizer=tokenizer,
            aggregation_strategy="first",
            stride=min(_STRIDE, (window - 2) // 4),
            device=self._device,
            batch_size=self._batch_size,
        )

    def recognise(self, text: str) -> list[Mention]:
        """See `Recogniser`. Raises InputError where the extra or the model is missing."""
        found: list[Mention] = []
        for group in self._pipeline(text):
            label = str(group["entity_group"])
            start, end = _trimmed(text, int(group["start"]), int(group["end"]))
            if label in {"O", "LABEL_0"} or end <= start:
                continue
            if found and start < found[-1].end:
                continue
            found.append(Mention(start=start, end=end, surface=text[start:end], recogniser=self.name))
        return found


def _window(tokenizer: Any, model: Any) -> int:
    """Tokens the model can read: tokenizers without a limit of their own say 10**30."""
    limits = [int(tokenizer.model_max_length), int(getattr(model.config, "max_position_embeddings", 512))]
    return min(limits)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the space and punctuation that word pieces take along."""
    while start < end and text[start] in " \t\n,;:.":
        start += 1
    while end > start and (
        text[end - 1] in " \t\n,;:" or (text[end - 1] == "." and not re.search(r"\d\.$", text[start:end]))
    ):
        end -= 1
    return start, end
