"""What came of a check, in words: the same as markup, and as plain text where there is none."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...words import exercise, filled, one_line, say
from ..html import Html, bare, items, join, page, prose, quoted, raw, table, tag
from .judging import Verdict
from .kinds import Criterion, Task
from .running import Checked

LIMIT = 300  # characters of what somebody else wrote

PARTS = ("ex_expected", "ex_got", "ex_shown_by", "ex_hint")  # the four sentences of a fault


class Shown:
    """A text that a notebook shows as markup and a terminal as lines. `blocks`: sentences, or lists of sentences."""

    def __init__(self, *blocks: "str | Sequence[str]") -> None:
        self.blocks = blocks

    def html(self) -> Html:
        return join(
            tag("p", prose(block)) if isinstance(block, str) else items(prose(line) for line in block)
            for block in self.blocks
        )

    def __repr__(self) -> str:
        lines: list[str] = []
        for block in self.blocks:
            lines += [bare(block)] if isinstance(block, str) else [f"- {bare(line)}" for line in block]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        return {"text/html": str(page(self.html())), "text/plain": repr(self)}


class Listing(Shown):
    """Code under a sentence."""

    def __init__(self, sentence: str, code: str) -> None:
        super().__init__(sentence)
        self.code = code

    def html(self) -> Html:
        return join([super().html(), raw(self.code)])

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n\n{self.code}"


class Report(Shown):
    """The report of a check: its outcome, each criterion, and for a form the two columns.

    `outcome` is `untried`, `not_yet`, `checked` or `error`; `found` has for each criterion its mark and its lines. The
    first report on a form does not say yet what the run says where the two differ.
    """

    def __init__(
        self,
        task: Task,
        checked: Checked,
        ticked: Sequence[str] = (),
        said: Iterable[str] = (),
        *,
        is_first: bool = False,
    ) -> None:
        self.task, self.checked, self.is_first = task, checked, is_first
        self.outcome = checked.outcome
        words = exercise(task.number)
        state = say("ex_is_refused") if checked.stopped else say(f"ex_is_{self.outcome}")
        self.head = f"**{say('ex_title', number=task.number, title=words['title'])}** · {state}"
        self.top = self._stopped(words)
        self._told: list[list[str]] = []  # what is missing is not told twice in the same words
        self.found = {each.id: self._lines(each, words, each.id in ticked) for each in task.criteria}
        self.rows = [self._row(name, words) for name in task.form or {}] if checked.measured else []
        self.printed = _shown(checked.printed.strip())
        self.foot = [*self._what_is_left(ticked), *said]
        self.foot += [say("ex_printed", size=checked.size)] if self.printed else []
        super().__init__()

    def _lines(self, criterion: Criterion, words: Mapping[str, Any], ticked: bool) -> list[str]:
        """The sentence of a criterion under its mark, and what is missing."""
        sentence = words["criteria"][criterion.id]
        if criterion.is_own:
            return [f"{say('ex_ticked' if ticked else 'ex_own')} · {sentence}"]
        if self.outcome == "untried" or self.top:
            return [f"{say('ex_waits')} · {sentence}"]
        if criterion.id not in self.checked.verdicts:
            return [f"{say('ex_not_reached')} · {sentence}"]
        verdict = self.checked.verdicts[criterion.id]
        if not verdict:
            return [f"{say('ex_holds')} · {sentence}"]
        return [f"{say('ex_not_yet')} · {sentence}", *self._missing(verdict, words)]

    def _missing(self, verdict: Verdict, words: Mapping[str, Any]) -> list[str]:
        """What a verdict that does not hold says."""
        error = verdict.get("error")
        lines = _error(self.task, error, words) if error else _missing(verdict, words)
        told = (_place(error) if error else []) or lines  # of an error, its line: it may come at several moments
        if told in self._told:
            return [say("ex_same_error" if error else "ex_same_fault")]
        self._told.append(told)
        return lines

    def _row(self, name: str, words: Mapping[str, Any]) -> list[str]:
        given = self.checked.answer.get(name)
        if given is None:
            return [words["fields"][name], say("ex_unanswered"), say("ex_hidden"), ""]
        accepted = self.checked.measured[name]
        options = words["options"]
        if self.is_first and given not in accepted:  # to be thought over once more
            return [words["fields"][name], options[given], say("ex_hidden"), say("ex_other")]
        run = given if given in accepted else accepted[0]
        return [words["fields"][name], options[given], options[run], say("ex_same" if given == run else "ex_other")]

    def _what_is_left(self, ticked: Sequence[str]) -> list[str]:
        """What the learner does next: judge what nobody else can, or think over what was hidden."""
        left = [each.id for each in self.task.criteria if each.is_own and each.id not in ticked]
        if self.outcome == "checked" and left:
            return [say("ex_left_to_you", number=len(left))]
        hides = self.is_first and any("differs" in verdict for verdict in self.checked.verdicts.values())
        return [say("ex_think_again")] if hides else []

    def _stopped(self, words: Mapping[str, Any]) -> list[str]:
        lines = []
        if self.checked.broken:
            lines += [say("ex_broken"), *_error(self.task, self.checked.broken, words)]
        if self.checked.stopped:
            lines.append(self.checked.stopped)
        return lines

    def html(self) -> Html:
        criteria = items(
            join([prose(first), items(map(prose, more)) if more else ""]) for first, *more in self.found.values()
        )
        compared = [table(say("ex_compared"), self._heads(), [[prose(cell) for cell in row] for row in self.rows])]
        printed = [raw(self.printed)] if self.printed else []
        top, foot = ([tag("p", prose(line)) for line in lines] for lines in (self.top, self.foot))
        return join([tag("p", prose(self.head)), *top, *(compared if self.rows else []), criteria, *foot, *printed])

    def __repr__(self) -> str:
        lines = [bare(self.head), *map(bare, self.top)]
        for row in self.rows:
            question, given, run, mark = map(bare, row)
            lines.append(f"  {question} · {say('ex_you')}: {given} · {say('ex_run')}: {run} {mark}".rstrip())
        for first, *more in self.found.values():
            lines += [bare(first), *(f"    {bare(line)}" for line in more)]
        return "\n".join([*lines, *map(bare, self.foot), *(f"    {line}" for line in self.printed.splitlines())])

    def _heads(self) -> list[str]:
        return [say("ex_asked"), say("ex_you"), say("ex_run"), say("ex_mark")]


def _shown(printed: str) -> str:
    """What the learner's code printed, its lines and no other ones, cut where it is long."""
    kept = printed if len(printed) <= LIMIT else printed[:LIMIT] + "…"
    return "\n".join(map(one_line, kept.splitlines()))


def _missing(verdict: Verdict, words: Mapping[str, Any]) -> list[str]:
    """What a verdict without an error says that does not hold."""
    if "fault" in verdict:
        key, fields = verdict["fault"]
        safe = {name: quoted(value, LIMIT) for name, value in fields.items()}
        sentences = [filled(part, safe) for part in words["faults"][key]]
        return [f"{say(name)} {part}" for name, part in zip(PARTS, sentences, strict=True) if part]
    if "hangs" in verdict:
        return [say("ex_hangs"), *_place(verdict["hangs"])]
    lines = []
    if "missing" in verdict:
        asked = "; ".join(words["fields"][name] for name in verdict["missing"])
        lines.append(f"{say('ex_unanswered')}: {asked}")
    hints = dict.fromkeys(words["why"][name] for name in verdict.get("differs", ()) if name in words.get("why", {}))
    return lines + [f"{say('ex_hint')} {hint}" for hint in hints]


def _error(task: Task, error: Mapping[str, Any], words: Mapping[str, Any]) -> list[str]:
    """What the learner's code raised: in which call, in which line, at which moment; never what lies further in."""
    if error["kind"] in ("SystemExit", "KeyboardInterrupt"):
        lines = [say("ex_exits")]
    elif error["kind"] == "BdbQuit":
        lines = [say("ex_debugger")]
    else:
        what = f"{error['kind']}: {error['message']}" if error["kind"] else error["message"]
        said = say("ex_raises" if "line" in error else "ex_unusable")
        lines = [f"{said} `{quoted(what, LIMIT)}`" if error["kind"] else what]
    called = next((name for name in error["calls"] if name in (task.takes or {})), "")
    if called:
        lines.append(f"{say('ex_call')} `{called}({(task.takes or {})[called]})`")
    if error["moment"]:
        key, fields = error["moment"]
        lines.append(f"{say('ex_when')} {filled(words['moments'][key], fields)}")
    return lines + _place(error)


def _place(error: Mapping[str, Any]) -> list[str]:
    if "line" not in error:
        return []
    line = say("ex_line", function=error["function"], line=error["line"])
    return [f"{line} `{quoted(error['text'], LIMIT)}`"]


def hint_shown(hints: Sequence[str], given: int) -> Shown:
    """The hints up to the `given`-th."""
    return Shown(say("ex_hints", given=given, of=len(hints)), list(hints[:given]))
