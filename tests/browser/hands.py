"""A reader's hands: they work a widget by mouse, or by keyboard alone, and see to it that it shows what it must."""

from collections.abc import Callable
from typing import Any

from .kinds import Deed, Deeds

MOST = 150  # Tabs from one control to the next: a form has many between its first question and its button
KEYS = {"button": "Enter"}  # what else there is is chosen with Space, or written in
PATIENCE = 30_000  # milliseconds: some deeds run a process

# The clock of a real process and the ids that a model invents are not the same twice.
STATE = """box => [
  box.textContent.replace(/\\s+/g, ' ').replace(/\\b1\\d{12}\\b/g, 'ms').replace(/(toolu_\\d+_)[0-9a-f]{8}\\b/g, '$1…'),
  [...box.querySelectorAll('input')].map(input => input.checked),
]"""
WAY = """control => {
  const focus = document.activeElement;
  if (focus === control) return null;
  return control.compareDocumentPosition(focus) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Shift+Tab' : 'Tab';
}"""
IS_RINGED = """control => {
  const { outlineStyle, outlineWidth } = getComputedStyle(control);
  return outlineStyle !== 'none' && parseInt(outlineWidth) >= 2;
}"""
HAS_FOCUS = "box => box.contains(document.activeElement)"


def by_mouse(box: Any, deeds: Deeds) -> Any:
    """Do it with clicks, and give back what is then read: the text, and what is checked."""
    chosen: dict[str, Any] = {}  # of each group that is named
    for deed in deeds:
        found = control(box, deed)
        if deed.role == "radio":
            choose(found)
            chosen[deed.within] = found
        else:
            for title in filter(None, chosen):
                choose(chosen[title])
            found.click()
        if deed.types:
            found.fill(deed.types)
        see(box, deed)
    return box.evaluate(STATE)


def choose(found: Any) -> None:
    """Click until it is seen chosen, as a reader does: on a busy machine JupyterLab has lost clicks."""
    from playwright.sync_api import expect

    for _ in range(3):
        if found.is_checked():
            return
        found.click()
    expect(found).to_be_checked()


def by_keyboard(page: Any, box: Any, deeds: Deeds) -> Any:
    """The same without a mouse. The focus goes on from where it is, is seen, and stays in the widget."""
    for deed in deeds:
        reach(page, control(box, deed).element_handle(), deed.name)
        if deed.types:
            page.keyboard.type(deed.types)
        else:
            page.keyboard.press(KEYS.get(deed.role, "Space"))
        see(box, deed)
        assert box.evaluate(HAS_FOCUS), f"the focus was lost after: {deed.name}"
    return box.evaluate(STATE)


def control(box: Any, deed: Deed) -> Any:
    """The control; where only a part of its name is known, the first that has it."""
    group = box.locator(".widget-vbox", has_text=deed.within).last if deed.within else box
    found = group.get_by_role(deed.role, name=deed.name, exact=True)
    return found if isinstance(deed.name, str) else found.first


def reach(page: Any, wanted: Any, name: object) -> None:
    for _ in range(MOST):
        key = wanted.evaluate(WAY)
        if key is None:
            assert wanted.evaluate(IS_RINGED), f"the focus is not seen on: {name}"
            return
        page.keyboard.press(key)
    raise AssertionError(f"not reached with Tab: {name}")


def see(box: Any, deed: Deed) -> None:
    from playwright.sync_api import expect

    for words in deed.shows:
        expect(box).to_contain_text(words, timeout=PATIENCE)


def run_again(page: Any, cell: Any) -> None:
    """Run the cell anew with Ctrl+Enter, which leaves the focus on it, and wait for the new widget."""
    cell.locator(".curso").evaluate("box => box.classList.add('old')")
    cell.focus()
    page.keyboard.press("Control+Enter")
    cell.locator(".curso:not(.old)").wait_for()


def work(cell: Any, plan: Callable[[Any], Deeds]) -> tuple[Deeds, Any]:
    """By mouse: what was done, and what is then read."""
    box = cell.locator(".curso")
    box.wait_for()
    deeds = plan(box)
    return deeds, by_mouse(box, deeds)


def work_twice(page: Any, cell: Any, plan: Callable[[Any], Deeds]) -> None:
    """By mouse, and in the same cell run anew by keyboard alone: both must come to the same."""
    deeds, first = work(cell, plan)
    run_again(page, cell)
    second = by_keyboard(page, cell.locator(".curso"), deeds)
    assert second == first, f"by keyboard: {second}\nby mouse: {first}"
