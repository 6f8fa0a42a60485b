"""The one tree of errors.

    CataneneError                       anything we raise on purpose
    ├── InputError                      the caller's data or words are wrong        exit 2, HTTP 422
    │   └── RecordError                 one record of a file: names file, record, field
    ├── NotFoundError                   no such thing                               exit 1, HTTP 404
    ├── ConflictError                   it exists already, or is held by another    exit 1, HTTP 409
    ├── EngineError                     the graph engine cannot be used             exit 1, HTTP 503
    ├── JobError                        a job failed or was refused                 exit 1, HTTP 500
    │   └── JobCancelled                somebody cancelled it                       exit 130, HTTP 409
    └── ModelError                      a model endpoint cannot be used             exit 1, HTTP 502

On the command line an error is one readable line and an exit code; over HTTP it
is RFC 9457 problem details, whose `type` ends in `slug`.
"""

from __future__ import annotations

from typing import ClassVar


class CataneneError(Exception):
    """Base of all errors raised on purpose. `str(error)` is one readable sentence."""

    slug: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500


class InputError(CataneneError):
    """The caller's data, options or words are wrong."""

    slug = "invalid-input"
    title = "The input cannot be used"
    exit_code = 2
    http_status = 422


class RecordError(InputError):
    """One record of a file is wrong.

    Args:
        source: the file (or upload) it stands in.
        record: which one: a line, an index or an id.
        field: the field at fault, empty where it is the whole record.
        reason: what is wrong with it, and what to do.
    """

    slug = "invalid-record"
    title = "A record cannot be used"

    def __init__(self, source: str, record: str | int, field: str, reason: str) -> None:
        self.source, self.record, self.field, self.reason = source, record, field, reason
        where = f"{source}, record {record}" + (f", field {field}" if field else "")
        super().__init__(f"{where}: {reason}")


class NotFoundError(CataneneError):
    """No such document, entity, question, run or job."""

    slug = "not-found"
    title = "Not found"
    http_status = 404


class ConflictError(CataneneError):
    """It exists already with other content, or another process holds it."""

    slug = "conflict"
    title = "In conflict with what is there"
    http_status = 409


class EngineError(CataneneError):
    """The graph engine cannot be reached, started or trusted."""

    slug = "engine-unavailable"
    title = "The graph engine is not available"
    http_status = 503


class JobError(CataneneError):
    """A job failed, or was refused."""

    slug = "job-failed"
    title = "The job failed"


class JobCancelled(JobError):
    """Somebody cancelled the job; what it had finished is kept."""

    slug = "job-cancelled"
    title = "The job was cancelled"
    exit_code = 130
    http_status = 409


class ModelError(CataneneError):
    """A model endpoint cannot be used: wrong key, no such model, quota exhausted."""

    slug = "model-unavailable"
    title = "The model endpoint cannot be used"
    http_status = 502
