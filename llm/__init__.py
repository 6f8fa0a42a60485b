"""The one client for every model call.

Endpoints are named in a TOML file (`endpoints.py`). `client.ModelClient.ask` sends a
conversation and returns a validated reply or a recorded outcome; how it asks for structure is in
`structured.py`, when it tries again in `retry.py`, how many calls go at once in `limiter.py`, what
it remembers in `cache.py`. This room imports nothing of ours but errors and settings.
"""

from llm.cache import ReplyCache
from llm.client import ModelClient
from llm.endpoints import Endpoint, Prices, load_endpoints, pick_endpoint
from llm.replies import Message, Reply, ReplyOutcome, Usage

__all__ = [
    "Endpoint",
    "Message",
    "ModelClient",
    "Prices",
    "Reply",
    "ReplyCache",
    "ReplyOutcome",
    "Usage",
    "load_endpoints",
    "pick_endpoint",
]
