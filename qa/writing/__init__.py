"""Writing questions: from templates (offline) or by a model.

A writer turns the path of a case into one one-hop question for every hop and the multi-hop question
that names only the last entity and asks for the first (chemistry paper, sections S7.2.2 and S7.2.3).
"""

from qa.writing.flow import positive_graph
from qa.writing.shapes import Asker, Broken, Writer, Written, charge
from qa.writing.templates import TemplateWriter

__all__ = ["Asker", "Broken", "TemplateWriter", "Writer", "Written", "charge", "positive_graph"]
