"""What a widget shows, as a reader sees it; and a laboratory that has no place to work in."""

import html
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from lesson_code.course.board import as_text
from lesson_code.lab.board import rows
from lesson_code.lab.scene import new_place


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def tables(markup: str) -> list[list[list[str]]]:
    """The cells of each row of each table."""
    return [
        [[said(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row)] for row in re.findall(r"<tr>.*?</tr>", one)]
        for one in re.findall(r"<table>.*?</table>", markup, re.DOTALL)
    ]


def board(*strategies: str, hasty: bool = False) -> str:
    """The rows of `strategies` as text, from runs of their own, with the careful or the hasty model."""
    return as_text([row for strategy in strategies for row in rows(strategy, hasty=hasty)])


@contextmanager
def no_place_to_work() -> Iterator[None]:
    """The folder in which scenes are played is not there: whoever wants to play one gets the system's error."""
    root = new_place().parent
    os.rename(root, f"{root}-gone")
    try:
        yield
    finally:
        os.rename(f"{root}-gone", root)
