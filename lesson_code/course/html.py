"""The only way in which the widgets make markup: whatever is not markup already is escaped."""

import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..words import one_line, say
from .theme import LABELS

LIMIT = 4000  # characters of a text that somebody else wrote

LEFT = "text-align: left; vertical-align: top"  # notebooks put what stands in a table on the right


_MARKED = re.compile(r"`((?:[^`\\]|\\.)+)`|\*\*((?:[^*\\]|\\.)+)\*\*|((?:[^`*\\]|\\.)+|[`*\\])")
"""Code, strong words, and what is neither; a mark behind a backslash is none."""


class Html(str):
    """Markup made here: it is not escaped again."""


def text(value: object, limit: int = LIMIT) -> Html:
    """Any text as text: never markup, nothing that turns the lines around it, its middle left out where it is long."""
    lines = _shortened(str(value), limit).split("\n")
    return Html(html.escape("\n".join(one_line(line) for line in lines)))


def _shortened(whole: str, limit: int) -> str:
    if len(whole) <= limit:
        return whole
    return "\n".join((whole[: limit // 2], say("html_cut", size=len(whole)), whole[-limit // 2 :]))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """An element; `class_` is its class, `aria_label` its aria-label. Children that are not Html are escaped."""
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    written = "".join(f' {key}="{html.escape(one_line(value))}"' for key, value in given.items())
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Iterable[object], between: str = "") -> Html:
    """Children one after the other, escaped unless they are Html."""
    return Html(between.join(child if isinstance(child, Html) else text(child) for child in children))


def prose(words: str) -> Html:
    """A sentence of the table: `code` between backticks, **strong** between asterisks."""
    found: list[object] = []
    for code, strong, plain in _MARKED.findall(words):
        marked = tag("strong", prose(strong)) if strong else tag("code", _literal(code))
        found.append(_literal(plain) if plain else marked)
    return join(found)


def _literal(words: str) -> str:
    return re.sub(r"\\(.)", r"\1", words)


def bare(words: str) -> str:
    """A sentence of the table where there is no markup: without its backticks and asterisks."""
    return re.sub(r"\\(.)|`|\*\*", lambda mark: mark[1] or "", words)


def quoted(foreign: object, limit: int) -> str:
    """What somebody else wrote, for a sentence of the table: on one line, cut where it is long, its marks no markup."""
    line = one_line(foreign)
    return re.sub(r"([`*\\])", r"\\\1", line if len(line) <= limit else line[:limit] + "…")


def label(meaning: str, words: str) -> Html:
    """A coloured label. It always says in words what its colour means. Raises ValueError."""
    if not words.strip() or meaning not in LABELS:
        raise ValueError(f"a label needs one of {sorted(LABELS)}, and words")
    return tag("span", words, class_=f"curso-label curso-{meaning}")


def table(caption: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """A table with a caption; the first cell of each row is its heading. ValueError for a row of other length."""
    rows = list(rows)
    if any(len(row) != len(head) for row in rows):
        raise ValueError("each row of a table needs a cell under each head")
    top = tag("tr", *(tag("th", cell, scope="col", style=LEFT) for cell in head))
    body = [
        tag("tr", tag("th", first, scope="row", style=LEFT), *(tag("td", cell, style=LEFT) for cell in rest))
        for first, *rest in rows
    ]
    return tag("table", tag("caption", caption, style=LEFT), tag("thead", top), tag("tbody", *body))


def items(rows: Iterable[object]) -> Html:
    """A list."""
    return tag("ul", *(tag("li", row) for row in rows))


def folded(summary: str, *body: object) -> Html:
    """What is opened by who wants to see it."""
    return tag("details", tag("summary", summary), *body)


def raw(value: Any) -> Html:
    """JSON as it is on disk, or a text of several lines."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return tag("pre", text(written))


def page(*children: object) -> Html:
    """The outermost element: it says in which language it is written."""
    return tag("div", *children, lang=say("html_language"))
