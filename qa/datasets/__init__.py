"""The known data sets: reading their files, importing them, and the negatives of their questions."""

from __future__ import annotations

from qa.datasets.importer import FORMATS, default_name, import_file
from qa.datasets.negatives import build_negatives
from qa.datasets.report import ImportReport, NegativesReport

__all__ = ["FORMATS", "ImportReport", "NegativesReport", "build_negatives", "default_name", "import_file"]
