"""What every exercise of the course owes its learner: sentences, hints that give nothing away, a cell to write in."""

import ast
import json
import re
import string
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from lesson_code.course.exercises.kinds import Task
from lesson_code.course.exercises.one import Exercise
from lesson_code.course.exercises.running import check_form, check_functions
from lesson_code.course.exercises.tasks import _mirror, solution_module, starters_of, tasks
from lesson_code.course.html import bare
from lesson_code.words import exercise as words_of
from lesson_code.words import one_line
from tests.answers.reach import Reach, keys_of, pattern_of
from tests.course.toy import cell
from tests.notebooks.guards import Notebook, tags, text
from tests.notebooks.lint import EXERCISES, FILES
from tests.support import ROOT

CORE = {"1.1", "2.2", "3.2", "4.2", "5.1", "6.1", "6.2"}
SHORT = 4  # a text with fewer letters gives nothing away
SECONDS = 2.0
CODE = {number: task for number, task in tasks().items() if task.takes is not None}
FORMS = {number: task for number, task in tasks().items() if task.takes is None}
each_task = pytest.mark.parametrize("number", tasks())
each_code = pytest.mark.parametrize("number", CODE)
each_form = pytest.mark.parametrize("number", FORMS)


def test_there_are_the_fourteen_of_the_course_in_its_order() -> None:
    assert list(tasks()) == [f"{lesson}.{n}" for lesson in EXERCISES for n in range(1, EXERCISES[lesson] + 1)]
    assert all(number == task.number for number, task in tasks().items())


# Words


@each_task
def test_every_criterion_has_its_sentence_and_one_s_own_its_model_answer(number: str) -> None:
    criteria, words = tasks()[number].criteria, words_of(number)
    assert list(words["criteria"]) == [each.id for each in criteria]
    assert list(words["model"]) == [each.id for each in criteria if each.is_own]
    assert all(re.fullmatch("[a-z][a-z0-9_]*", each.id) for each in criteria)


@each_task
def test_it_is_checked_in_one_way(number: str) -> None:
    task = tasks()[number]
    checked = [each for each in task.criteria if not each.is_own]
    assert checked
    if number in CODE:
        assert task.form is task.measure is None
        assert all(each.check and not each.fields for each in checked)
    else:
        assert task.form and task.measure
        assert all(each.fields and not each.check for each in checked)
        assert sorted(chain(*(each.fields for each in checked))) == sorted(task.form)


@each_task
def test_it_has_two_to_four_hints_and_every_sentence_is_one_line_that_says_something(number: str) -> None:
    words = words_of(number)
    assert 2 <= len(words["hints"]) <= 4
    for sentence in sentences(words):
        assert one_line(sentence) == sentence and sentence == sentence.strip()
        assert balanced(sentence), sentence


def sentences(value: Any) -> Iterator[str]:
    """Every sentence of the words of an exercise. The third sentence of a fault may be missing."""
    if isinstance(value, str):
        yield value
    else:
        for each in value.values() if isinstance(value, dict) else value:
            yield from sentences(each)


def balanced(sentence: str) -> bool:
    """Whether its code and its strong words are closed."""
    plain = re.sub(r"`[^`]+`|\*\*[^*]+\*\*", "", sentence)
    return "`" not in plain and "**" not in plain


@each_form
def test_a_form_has_words_for_every_field_and_option_and_a_hint_for_every_wrong_answer(number: str) -> None:
    form, words = tasks()[number].form or {}, words_of(number)
    assert list(words["fields"]) == list(form)
    assert words["options"].keys() == set(chain(*form.values()))
    assert words["why"].keys() == form.keys()
    assert all(len(options) == len(set(options)) >= 2 for options in form.values())
    for options in form.values():
        assert len({bare(words["options"][option]) for option in options}) == len(options)


@each_form
def test_a_run_gives_every_field_of_a_form_options_that_it_has_quickly(number: str) -> None:
    task = tasks()[number]
    assert task.form and task.measure
    began = time.monotonic()
    measured = task.measure()
    assert time.monotonic() - began < SECONDS
    assert measured.keys() == task.form.keys()
    assert all(measured[name] and set(measured[name]) < set(options) for name, options in task.form.items())


@each_code
@pytest.mark.parametrize("table, called", [("faults", "fault"), ("moments", "now")])
def test_every_key_of_a_check_has_its_words_and_every_word_its_check(number: str, table: str, called: str) -> None:
    reach, words = Reach(tasks()[number]), words_of(number)[table]
    assert [node for node in reach.calls(called) if pattern_of(node.args[0])] == [] or reach.trees
    for node in reach.calls(called):
        for key in keys_of(node.args[0]):
            assert key in words, f"{table}: {key} is not in the words"
            given = {keyword.arg for keyword in node.keywords}
            assert None in given or given == fields_of(words[key]), f"{table}: {key} is given {given}"
    known = reach.strings()
    made = [pattern for node in reach.calls(called) if (pattern := pattern_of(node.args[0]))]
    assert [key for key in words if key not in known and not any(re.fullmatch(each, key) for each in made)] == []


def fields_of(value: Any) -> set[str]:
    return {name for part in sentences(value) for _, name, _, _ in string.Formatter().parse(part) if name is not None}


@each_code
def test_a_fault_has_four_sentences_of_which_only_the_third_may_be_missing(number: str) -> None:
    for key, parts in words_of(number)["faults"].items():
        assert len(parts) == 4 and all(part for index, part in enumerate(parts) if index != 2), key


@each_task
def test_no_hint_holds_what_a_check_compares_with(number: str) -> None:
    """What the lesson itself has said is no secret."""
    words = words_of(number)
    said = [*words["hints"], *(parts[3] for parts in words.get("faults", {}).values()), *words.get("why", {}).values()]
    told = {secret: hint for secret in secrets(number) for hint in said if is_in(secret, hint)}
    assert told == {}


def secrets(number: str) -> set[str]:
    task = tasks()[number]
    if task.measure:
        right = set(chain(*task.measure().values()))
        found = right | {bare(words_of(number)["options"][option]) for option in right}
    else:
        given = prose_of(number).partition("<summary>Pista")[0] + own_cells(number)[0]
        found = {secret for secret in Reach(task).compared() if not is_in(secret, given)}
    return {secret for secret in found if len(secret) >= SHORT}


def is_in(secret: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", words, re.IGNORECASE) is not None


# Starters and solutions


@each_code
def test_what_the_lesson_gives_is_not_tried_yet(number: str) -> None:
    assert Exercise(number).check(*starters_of(tasks()[number])).outcome == "untried"


@each_form
def test_an_empty_form_is_not_tried_yet(number: str) -> None:
    assert Exercise(number).check({}).outcome == "untried"


@each_code
def test_the_solution_is_checked_in_a_child_in_time(number: str, record_property: Any) -> None:
    task = tasks()[number]
    given = [getattr(solution_module(task), name) for name in task.takes or ()]
    seconds = []
    while not seconds or (min(seconds) > SECONDS and len(seconds) < 5):  # other programs run beside this one
        began = time.monotonic()
        found = check_functions(task, given)
        seconds.append(time.monotonic() - began)
    assert (found.outcome, found.verdicts) == ("checked", {each.id: {} for each in task.criteria if each.check})
    assert min(seconds) <= SECONDS
    record_property("measured", f"exercise {number}: its solution is checked in {min(seconds):.2f} s")


@each_code
def test_the_solution_shows_what_it_needs_and_why(number: str) -> None:
    """Its source is all that is shown: it runs by itself, as a cell."""
    source = Exercise(number)
    source.solution()
    shown = source.solution().code
    assert "#" in shown
    space = cell(shown)
    assert all(callable(space[name]) for name in tasks()[number].takes or ())


@each_form
def test_the_solution_of_a_form_has_its_right_answers_and_their_reasons(number: str) -> None:
    task, source = tasks()[number], Exercise(number)
    source.solution()
    shown = source.solution().code
    answers = [value for value in cell(shown).values() if isinstance(value, dict) and value.keys() == task.form.keys()]
    assert len(answers) == 1 and check_form(task, answers[0]).outcome == "checked"
    assert "#" in shown


# The notebook


def notebook_of(number: str) -> Notebook:
    path = ROOT / "notebooks" / FILES[int(number[0])]
    found: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return found


def section_of(number: str) -> list[dict[str, Any]]:
    """The cells of an exercise: from its heading to the next one."""
    found: list[dict[str, Any]] = []
    for each in notebook_of(number)["cells"]:
        source = text(each["source"])
        if each["cell_type"] == "markdown" and re.search("^##+ ", source, re.MULTILINE):
            if found:
                return found
            found = [each] if re.search(rf"^### Nivel [12] · {re.escape(number)} ", source, re.MULTILINE) else []
        elif found:
            found.append(each)
    return found


def prose_of(number: str) -> str:
    return "\n".join(text(each["source"]) for each in section_of(number) if each["cell_type"] == "markdown")


def own_cells(number: str) -> list[str]:
    """What stands in the cells of an exercise in which its reader writes, or asks how it is going."""
    return [text(each["source"]).strip() for each in section_of(number) if "ejercicio" in tags(each)]


@each_task
def test_its_cells_are_of_the_core_where_it_is(number: str) -> None:
    cells = [each for each in section_of(number) if each["cell_type"] == "code"]
    assert [each for each in cells if ("ampliacion" in tags(each)) == (number in CORE)] == []


@each_task
def test_its_cells_ask_for_it_check_it_and_show_its_criteria(number: str) -> None:
    begun, *calls = own_cells(number)
    if number in FORMS:
        name = f"form_{number.replace('.', '_')}"
        assert begun == f'{name} = exercise("{number}").form()\n{name}'
        given = name
    else:
        given = ", ".join(tasks()[number].takes or ())
    assert calls == [f'exercise("{number}").check({given})', f'exercise("{number}").criteria()']


@each_code
def test_the_starter_is_what_its_cell_holds_and_no_more(number: str) -> None:
    task = tasks()[number]
    begun = ast.parse(own_cells(number)[0]).body
    module = ast.parse(inspect_source(task)).body
    functions = [node for node in module if isinstance(node, ast.FunctionDef)]
    assert [ast.dump(node) for node in begun] == [ast.dump(node) for node in functions]
    assert {node.name for node in functions} >= set(task.takes or ())


def inspect_source(task: Task) -> str:
    import inspect

    return inspect.getsource(_mirror("starters", task))


@each_task
def test_its_text_has_the_hints_and_the_criteria_folded(number: str) -> None:
    words, said = words_of(number), prose_of(number)
    for count, hint in enumerate(words["hints"], start=1):
        assert f"<details><summary>Pista {count}</summary>\n\n{hint}\n\n</details>" in said
    assert said.count("<summary>Pista") == len(words["hints"])
    listed = said.partition("<summary>Está completo cuando…</summary>")[2].partition("</details>")[0]
    lines = [re.sub(r"[;.]$", "", line.removeprefix("- ")) for line in listed.strip().splitlines() if line]
    assert lines == [re.sub(r"[;.]$", "", sentence) for sentence in words["criteria"].values()]


@each_task
def test_its_title_is_that_of_the_notebook(number: str) -> None:
    title = re.search(rf"^### Nivel [12] · {re.escape(number)} (.+)$", prose_of(number), re.MULTILINE)
    assert title and title[1] == words_of(number)["title"]


@each_task
def test_the_notebook_was_run_with_nothing_written_yet(number: str) -> None:
    (shown,) = [
        text(output["data"]["text/plain"])
        for each in section_of(number)
        for output in each.get("outputs", [])
        if ".check(" in text(each["source"])
    ]
    assert shown.splitlines()[0] == bare(f"Ejercicio {number}: {words_of(number)['title']} · sin intentar todavía")
