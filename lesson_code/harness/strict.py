"""Read JSON without guessing: what is not understood to the last byte is refused."""

import json
import math
import re
from typing import Any, NoReturn

from ..words import say

MAX_DEPTH = 100  # far below where any Python's own parser gives up, so that every reader agrees
MAX_DIGITS = 1000
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: it can be escaped in JSON, and never written in UTF-8


def parse(data: bytes) -> Any:
    """The value in `data`. Raises ValueError with a Spanish reason; nothing is repaired, nothing defaulted."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise ValueError(say("json_bom"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(say("json_utf8", position=error.start)) from error
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_number, parse_float=_float, parse_int=_int)
    except json.JSONDecodeError as error:
        raise ValueError(say("json_broken", line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise ValueError(say("json_deep", limit=MAX_DEPTH)) from error
    if too_deep(value):
        raise ValueError(say("json_deep", limit=MAX_DEPTH))
    if "\\u" in text and SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise ValueError(say("json_surrogate"))
    return value


def can_be_stored(value: Any) -> bool:
    """Whether `value` goes to disk and comes back the same: no NaN, lone surrogate, endless nesting or other type."""
    try:
        return bool(parse(json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")) == value)
    except (ValueError, TypeError, RecursionError):
        return False


def too_deep(value: Any, left: int = MAX_DEPTH) -> bool:
    """Whether `value` nests lists and objects more than `left` deep."""
    level = [value]
    while level and left >= 0:  # all that is so deep at once: a call for each value would take half of a load
        lists = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, (dict, list))]
        level, left = [child for each in lists for child in each], left - 1
    return bool(level)


def canonical(value: Any) -> str:
    """One text for each JSON value: keys sorted, 1.0 the same as 1, `true` never the same as 1."""
    return json.dumps(json.loads(json.dumps(value), parse_float=_plain), sort_keys=True)


def _plain(text: str) -> float:
    return int(float(text)) if float(text).is_integer() else float(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        repeated = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(say("json_repeated", name=repeated[:80]))
    return result


def _number(text: str) -> NoReturn:
    raise ValueError(say("json_number", text=text[:40]))


def _float(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else _number(text)


def _int(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else _number(text)
