"""Every sentence a learner reads, one table per language, and the one function that renders it."""

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from errno import errorcode
from typing import Any

from . import es, es_exercises, es_gates

TABLES = {"es": es.SENTENCES}
GATES = {"es": es_gates.GATES}
EXERCISES = {"es": es_exercises.EXERCISES}
_language = "es"
MAX_FIELD = 1000

# Controls, line separators, bidirectional marks and lone surrogates: what can break or forge a line.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def use(language: str) -> None:
    """Choose the language of every later sentence. Raises KeyError for one that has no table."""
    global _language
    if language not in TABLES:
        raise KeyError(language)
    _language = language


def language() -> str:
    """The language that was chosen."""
    return _language


def one_line(text: object) -> str:
    r"""`text` on one line, with what could forge another one escaped: a line feed becomes `\n`."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), str(text))


def shortened(text: str) -> str:
    """`text`, or its beginning when it is too long for a sentence."""
    return text if len(text) <= MAX_FIELD else text[:MAX_FIELD] + "…"


def indented(text: str) -> str:
    """An answer of several lines, the later ones two spaces in, so that none can pass for a line of ours."""
    return "\n  ".join(one_line(line) for line in text.replace("\r\n", "\n").split("\n"))


def say(key: str, **fields: object) -> str:
    """The sentence `key` of the chosen language, each field on one line. Raises KeyError for an unknown key."""
    return filled(TABLES[_language][key], fields)


def filled(sentence: str, fields: Mapping[str, object]) -> str:
    """A sentence with its fields, each on one line and not too long."""
    return sentence.format(**{name: shortened(one_line(value)) for name, value in fields.items()})


def gate(key: str) -> tuple[str, list[tuple[str, str]]]:
    """The question of a gate, and its options, each with its reason. Raises KeyError for an unknown key."""
    return GATES[_language][key]


def exercise(number: str) -> dict[str, Any]:
    """The words of an exercise (`es_exercises` says which). Raises KeyError for an unknown number."""
    return EXERCISES[_language][number]


def reason(error: Exception) -> str:
    """Why the system refused, without the path: in our words where the table has them."""
    code = errorcode.get(getattr(error, "errno", None) or 0)
    return TABLES[_language].get(f"errno_{code}") or getattr(error, "strerror", None) or str(error)


def is_warning(event: str) -> bool:
    """Whether an event is for standard error: all that is not a line of the log."""
    return event.startswith("warning_")


def warn(event: str, **fields: object) -> None:
    """What the harness emits to when nobody listens: silent, but for the warnings."""
    if is_warning(event):
        with suppress(OSError):  # a full disk behind standard error must not stop what the warning is about
            print(say(event, **fields), file=sys.stderr, flush=True)
