"""Domain packs: everything that is of a field and of no stage, as data with one loader."""

from __future__ import annotations

from domain.packs.lexicon import Lexicon, Term
from domain.packs.pack import Attribute, DomainPack, Prompt, load_pack

__all__ = ["Attribute", "DomainPack", "Lexicon", "Prompt", "Term", "load_pack"]
