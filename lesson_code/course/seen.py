"""What is left on disk and in the world, in words, and what changed since another moment."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.ledger import LEDGER_FILE
from ..lab.deaths import Seen
from ..words import say
from .html import Html, bare, folded, join, label, prose, quoted, raw, table, tag

SHORT = 60  # characters of a name that somebody else chose


class Line(NamedTuple):
    """One of the places that are looked at: its name (a file's as code), what it holds, what changed ([]: nothing)."""

    name: str
    holds: str
    changes: list[str]


def lines(now: Seen, before: Seen, *, ledger: bool) -> list[Line]:
    """The two files and the world, each as a line. Without a ledger there is one file."""
    found = [Line(f"`{CHECKPOINT_FILE}`", _holds(now.checkpoint), _fields(before.checkpoint, now.checkpoint))]
    if ledger:
        held = _listed([f"`{_short(key)}` {_short(entry['name'])}" for key, entry in (now.effects or {}).items()])
        found.append(Line(f"`{LEDGER_FILE}`", say("seen_absent") if now.effects is None else held, _noted(before, now)))
    new = [_effect(effect) for effect in now.world[len(before.world) :]]
    done = [_effect(effect) for effect in now.world]
    return [*found, Line(say("seen_world"), _listed(done), [say("seen_new_effect", effect=one) for one in new])]


def _holds(checkpoint: dict[str, Any] | None) -> str:
    if checkpoint is None:
        return say("seen_absent")
    values = [f"`{field}` {value}" for field, value in _values(checkpoint).items()]
    return " · ".join(values)


def _values(checkpoint: dict[str, Any] | None) -> dict[str, str]:
    """What is said of each field that changes in a run."""
    if checkpoint is None:
        return {}
    pending = checkpoint["pendingToolUse"]
    return {
        "turns": str(checkpoint["turns"]),
        "tokensUsed": str(checkpoint["tokensUsed"]),
        "messages": str(len(checkpoint["messages"])),
        "pendingToolUse": f"{_short(pending['name'])} ({_short(pending['id'])})" if pending else "null",
    }


def _fields(before: dict[str, Any] | None, now: dict[str, Any] | None) -> list[str]:
    old, new = _values(before), _values(now)
    changed = [f"`{field}`: {old.get(field, '–')} → {new[field]}" for field in new if old.get(field) != new[field]]
    return changed or ([] if before == now else [say("seen_other_content")])


def _noted(before: Seen, now: Seen) -> list[str]:
    old, held = before.effects or {}, now.effects or {}
    new = [say("seen_new_entry", id=_short(key), name=_short(held[key]["name"])) for key in held if key not in old]
    kept = {key: _timeless(held.get(key)) == _timeless(entry) for key, entry in old.items()}
    return new if all(kept.values()) else [*new, say("seen_other_content")]


def _timeless(entry: dict[str, Any] | None) -> dict[str, Any] | None:
    """An entry but for its clock: two runs may be compared."""
    return entry and {field: value for field, value in entry.items() if field != "at"}


def _effect(effect: dict[str, Any]) -> str:
    return f"{_short(effect['name'])} → {_short(effect['about'])}"


def _short(foreign: object) -> str:
    return quoted(foreign, SHORT)


def _listed(things: Sequence[str]) -> str:
    return " · ".join(things) if things else say("seen_nothing")


def as_table(found: Sequence[Line], *, caption: str, against: str) -> Html:
    """The lines as a table; `against` says with which moment they are compared."""
    head = [say("seen_place"), say("seen_holds"), say("seen_changed", moment=against)]
    return table(caption, head, [(prose(one.name), prose(one.holds), changes(one)) for one in found])


def changes(line: Line) -> Html:
    """What changed, with the label that says whether anything did."""
    if not line.changes:
        return label("same", say("seen_same"))
    return join([label("changed", say("seen_different")), *(tag("div", prose(change)) for change in line.changes)])


def as_text(found: Sequence[Line], against: str) -> str:
    """The lines as text, two for each place."""
    rows = []
    for name, holds, changed in found:
        what = [say("seen_different"), *changed] if changed else [say("seen_same")]
        rows += [f"{bare(name)}: {bare(holds)}", f"    {say('seen_changed', moment=against)}: {bare(' · '.join(what))}"]
    return "\n".join(rows)


def json_of(seen: Seen, *, ledger: bool) -> Html:
    """The files as they are on disk, and the effects as the world has them, folded."""
    files = {CHECKPOINT_FILE: seen.checkpoint, **({LEDGER_FILE: seen.effects} if ledger else {})}
    found = [folded(say("seen_json", name=name), raw(data)) for name, data in files.items() if data is not None]
    return join([*found, folded(say("seen_json_world"), raw(seen.world))])
