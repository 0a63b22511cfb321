"""A reader's eyes: what axe finds in the widgets, their picture in a theme, and how long they take to be painted."""

import os
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from .hands import by_mouse
from .kinds import Deed, Deeds

TALL = {"width": 1280, "height": 30_000}
# The page of JupyterLab has no height, and then axe reckons no contrast; nor does it of what is off the screen.
HEIGHT = "html, body { height: 100vh !important }"
# Widgets are alike where what they are made of, each element by its tags, classes and style, is the same.
ONE_OF_EACH = """() => {
  const name = part => `${part.tagName} ${part.getAttribute('class')} ${part.getAttribute('style')}`;
  const path = (part, box) => part === box ? '' : `${path(part.parentElement, box)} > ${name(part)}`;
  const met = new Set();
  document.querySelectorAll('.jp-Notebook-cell').forEach(cell => {
    const box = cell.querySelector('.curso');
    const looks = box && [...new Set([...box.querySelectorAll('*')].map(part => path(part, box)))].sort().join();
    if (!box || met.has(looks)) cell.remove();
    met.add(looks);
  });
  document.querySelectorAll('.curso details').forEach(folded => { folded.open = true });
}"""
ARE_SEEN = """() => {
  document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0;
  return [...document.querySelectorAll('.curso')].every(box => {
    const { top, bottom } = box.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  });
}"""
PALE = """boxes => boxes.forEach(box =>
  box.insertAdjacentHTML('beforeend', '<p class="pale" style="color: #999; background: #fff">pale</p>'))"""
NO_LONGER_PALE = "() => document.querySelectorAll('.pale').forEach(words => words.remove())"
# While a theme is loaded, a picture of Jupyter lies over everything.
WEAR = """theme => document.body.dataset.jpThemeName === theme
  || window.jupyterapp.commands.execute('apputils:change-theme', { theme })"""
IS_WORN = """theme => document.body.dataset.jpThemeName === theme && !document.querySelector('#jupyterlab-splash')"""
# From the click itself to the moment after the frame in which the widget shows all of these.
PAINTED = """(box, shows) => {
  window.painted = new Promise(done => {
    let start = 0;
    document.addEventListener('click', event => { start = event.timeStamp }, { capture: true, once: true });
    const watch = new MutationObserver(() => {
      const read = box.textContent.replace(/\\s+/g, ' ');
      if (!shows.every(words => read.includes(words))) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    });
    watch.observe(box, { childList: true, characterData: true, subtree: true });
  });
}"""
COVERED = "bgOverlap"  # axe's word for what something lies over
LOOKS = 5
WARM_UP, CLICKS, SERIES = 3, 15, 3
LIMIT = 150  # milliseconds, on a machine with nothing else to do


def spread_out(page: Any) -> None:
    """Show the widgets of the notebook, unfolded, one of those that are alike, and no other cell, in a window for all.

    No cell can be run any more.
    """
    page.add_style_tag(content=HEIGHT)
    page.evaluate(ONE_OF_EACH)
    page.set_viewport_size(TALL)
    page.wait_for_function(ARE_SEEN)


def wear(page: Any, theme: str) -> None:
    """Change JupyterLab's theme: `Light` or `Dark`."""
    page.evaluate(WEAR, f"JupyterLab {theme}")
    page.wait_for_function(IS_WORN, arg=f"JupyterLab {theme}")
    page.wait_for_function(ARE_SEEN)


def faults(page: Any) -> list[str]:
    """What axe finds in the widgets; where JupyterLab still moves something over them, it looks again."""
    found: list[str] = []
    for _ in range(LOOKS):
        found = faults_now(page)
        if not any(COVERED in fault for fault in found):
            break
        page.wait_for_timeout(1000)
    return found


def faults_now(page: Any) -> list[str]:
    """The same at once. A pale line is put in each widget: where axe is blind to it, nothing it says counts."""
    from axe_playwright_python.sync_playwright import Axe

    boxes = page.locator(".curso")
    boxes.evaluate_all(PALE)
    response = Axe().run(page, context=".curso", options={"resultTypes": ["violations", "incomplete"]}).response
    page.evaluate(NO_LONGER_PALE)
    rules = response["violations"] + response["incomplete"]
    nodes = [(rule["id"], node) for rule in rules for node in rule["nodes"] if not is_sign(node)]
    found = [": ".join((rule, node["html"], *sorted(keys_of(node)))) for rule, node in nodes]
    pale = [fault for fault in found if fault.startswith('color-contrast: <p class="pale"')]
    assert len(pale) == boxes.count(), "axe did not reckon the contrast in every widget"
    return [fault for fault in found if fault not in pale]


def is_sign(node: dict[str, Any]) -> bool:
    """Whether axe leaves `node` open only because there is but a sign in it: `①`, `=`."""
    return bool({"nonBmp", "shortTextContent"} & keys_of(node))


def keys_of(node: dict[str, Any]) -> set[str]:
    """Why axe leaves `node` open: COVERED, for instance."""
    found = (check["data"].get("messageKey") for check in node["any"] if isinstance(check["data"], dict))
    return {key for key in found if key}


def picture(page: Any, name: str) -> None:
    """Take a picture of the widgets into the folder that `SCREENSHOTS` names, if somebody wants to look at them."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.locator(".jp-WindowedPanel-viewport").screenshot(path=Path(folder) / f"{name}.png")


def time_clicks(box: Any, rounds: tuple[Deeds, ...], limit: float = LIMIT) -> tuple[float, str]:
    """The median of the best of up to three series of clicks, in milliseconds, and what to print."""
    series: list[list[float]] = []
    while len(series) < SERIES and (not series or median(series[-1]) > limit):
        times = [time_click(box, *rounds[number % len(rounds)]) for number in range(WARM_UP + CLICKS)]
        series.append(times[WARM_UP:])
    best = min(series, key=median)
    said = f"median {median(best):.0f} ms, p95 {quantiles(best, n=20)[-1]:.0f} ms"
    return median(best), f"{said} ({CLICKS} clicks, the best of {len(series)} series)"


def time_click(box: Any, *deeds: Deed) -> float:
    """Milliseconds from the click of the last deed to its painted result."""
    *before, last = deeds
    by_mouse(box, tuple(before))
    box.evaluate(PAINTED, list(last.shows))
    by_mouse(box, (last,))
    elapsed: float = box.page.evaluate("() => window.painted")
    return elapsed
