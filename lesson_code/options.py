"""What the command is asked: its arguments, checked."""

import re
from argparse import ArgumentParser, Namespace
from typing import NoReturn

FOLDER = "agent-run"
MAX_TURNS = 40


class UsageError(Exception):
    """The command was called with arguments that it does not know."""


def parse(arguments: list[str]) -> Namespace:
    """`resume`, `history`, `live`, `help: bool`, `workdir: str`, `model: str | None`, `max_turns: int`,
    `max_tokens_total: int | None`, `rewind: int | None`, `fork: (int, str) | None`. Raises UsageError.
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--resume", action="store_true")
    what.add_argument("--rewind", type=_turn)
    what.add_argument("--fork", nargs=2)
    parser.add_argument("--history", action="store_true")
    parser.add_argument("--workdir", default=FOLDER)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--model")
    parser.add_argument("--max-turns", type=_limit)
    parser.add_argument("--max-tokens-total", type=_limit)
    options = parser.parse_args(arguments)
    if options.model is not None and not (options.live and options.model.strip()):
        parser.error("--model")
    goes_back = options.rewind is not None or options.fork
    if goes_back and (options.history or options.live or options.max_turns or options.max_tokens_total):
        parser.error("--rewind --fork")
    options.max_turns = options.max_turns or MAX_TURNS
    if options.fork:
        try:
            options.fork[0] = _turn(options.fork[0])
        except ValueError:
            parser.error("--fork")
    if not options.workdir.strip():
        parser.error("--workdir")
    return options


def _turn(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,1000}", text):
        raise ValueError(text)
    return int(text)


def _limit(text: str) -> int:
    limit = _turn(text)
    if limit < 1:
        raise ValueError(text)
    return limit


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)
