"""The widgets where a learner meets them: JupyterLab, Notebook 7, Voilà, and a notebook that has not been run."""

import html
import json
import re
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.desk import IS_OPEN, bring, run_all, write
from tests.browser.eyes import LIMIT, time_clicks
from tests.browser.hands import by_mouse
from tests.browser.kinds import KINDS, Deed
from tests.browser.server import Lab
from tests.notebooks.guards import ROOT, text

LESSON = "03_reanudar.ipynb"
QUIET = 60  # milliseconds: a gate's click on an idle machine of two cores
EXAMPLES = [kind.example for kind in KINDS.values()]

# What depends on both of its controls, and takes longest when the second one has just been used.
SLOW = """
from time import sleep
from ipywidgets import HTML, RadioButtons
from lesson_code.course.widget import Widget

class Slow(Widget):
    def __init__(self):
        self.one, self.two = (RadioButtons(options=[f"{name} sí", f"{name} no"]) for name in ("uno", "dos"))
        self.both, self.times = HTML(), 0
        super().__init__(self.one, self.two, self.both)
        for control in (self.one, self.two):
            control.observe(self.when(self.tell), "value")

    def tell(self):
        chosen = f"{self.one.value} y {self.two.value}"
        sleep(chosen == "uno no y dos no")
        self.times += 1
        self.both.value = f"{self.times}: {chosen}"

    def static(self):
        return "lento"

    plain = static

Slow()
"""


@pytest.mark.parametrize("front_end", ["Notebook 7", "Voilà"])
def test_each_kind_of_widget_works_in(front_end: str, page: Any, lab: Lab) -> None:
    write(lab.tree / "kinds.ipynb", *EXAMPLES)
    if front_end == "Voilà":
        page.goto(lab.url("voila/render/kinds.ipynb"))
    else:
        run_all(page, lab.url("notebooks/kinds.ipynb"))
    for number, kind in enumerate(KINDS.values()):
        box = page.locator(".curso").nth(number)
        box.wait_for(timeout=60_000)
        by_mouse(box, kind.deeds(kind.example, box))


def test_from_click_to_painted_result(page: Any, lab: Lab, record_property: Callable[[str, object], None]) -> None:
    """A gate runs nothing: its time tells how busy the machine is, and stretches the limit of the simulated death."""
    write(lab.tree / "clicks.ipynb", KINDS["Gate"].example, KINDS["CrashPicker"].example)
    run_all(page, lab.lab("clicks.ipynb"))
    gate, said = time_clicks(page.locator(".curso").first, KINDS["Gate"].rounds)
    record_property("measured", f"from click to painted result in JupyterLab, a gate: {said}")
    limit = LIMIT * max(1, gate / QUIET)
    death, said = time_clicks(page.locator(".curso").last, KINDS["CrashPicker"].rounds, limit)
    record_property("measured", f"from click to painted result in JupyterLab, a simulated death: {said}")
    assert death <= limit, said


def test_the_last_of_several_quick_clicks_is_what_is_seen(page: Any, lab: Lab) -> None:
    """JupyterLab sends the first message of each control to the kernel's main thread, and the others to another one."""
    write(lab.tree / "slow.ipynb", SLOW)
    run_all(page, lab.lab("slow.ipynb"))
    first, last = ("1: uno no y dos sí",), ("3: uno sí y dos no",)
    clicks = Deed("radio", "uno no", first), Deed("radio", "dos no"), Deed("radio", "uno sí", last)
    by_mouse(page.locator(".curso"), clicks)


def test_a_lesson_that_was_not_run_shows_its_widgets_whole(page: Any, lab: Lab) -> None:
    """Nobody has trusted this notebook: JupyterLab shows the text/html of the file, sanitised."""
    shutil.copy(ROOT / "notebooks" / LESSON, lab.tree / "unseen.ipynb")
    page.goto(lab.lab("unseen.ipynb"))
    page.wait_for_function(IS_OPEN, timeout=60_000)
    cells = json.loads((lab.tree / "unseen.ipynb").read_text("utf-8"))["cells"]
    widgets = [(index, cell["outputs"]) for index, cell in enumerate(cells) if "text/html" in json.dumps(cell)]
    assert widgets
    for index, shown in widgets:
        number = next(number for number, output in enumerate(shown) if "text/html" in output.get("data", {}))
        area = bring(page, index).locator(".jp-OutputArea-output").nth(number)
        assert words(area.text_content()) == words(untagged(text(shown[number]["data"]["text/html"])))
        assert area.is_visible()


def untagged(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def words(shown: str) -> list[str]:
    return shown.split()
