"""The gates: deterministic checks that cost nothing, each a named function.

A gate returns None, or the evidence against the question in one readable sentence. `PATH_GATES` look
at the path alone and come before anything is written; `TEXT_GATES` look at the written question.
What a gate refuses goes to the ledger under the gate's name.
"""

from qa.gates.case import Case, Draft, Finding, Rival, Rules, Taken
from qa.gates.load import load_cases
from qa.gates.run import PATH_GATES, TEXT_GATES, Refusal, check_path, check_text

__all__ = [
    "PATH_GATES",
    "TEXT_GATES",
    "Case",
    "Draft",
    "Finding",
    "Refusal",
    "Rival",
    "Rules",
    "Taken",
    "check_path",
    "check_text",
    "load_cases",
]
