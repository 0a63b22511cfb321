"""What the command may be asked, and what not."""

import pytest

from lesson_code.options import UsageError, parse


def test_what_is_not_asked_has_a_default() -> None:
    assert vars(parse([])) == {
        "help": False,
        "resume": False,
        "rewind": None,
        "fork": None,
        "history": False,
        "workdir": "agent-run",
        "live": False,
        "model": None,
        "max_turns": 40,
        "max_tokens_total": None,
    }


def test_a_live_run_with_its_model_and_its_limits() -> None:
    options = parse("--live --model claude-x --resume --history --max-turns 3 --max-tokens-total 1000".split())
    assert (options.live, options.model, options.max_turns, options.max_tokens_total) == (True, "claude-x", 3, 1000)
    assert options.resume and options.history


@pytest.mark.parametrize(
    "wrong",
    [
        ["--model", "claude-x"],
        ["--model", "claude-x", "--resume"],
        ["--live", "--model"],
        ["--live", "--model", ""],
        ["--live", "--model", " "],
        ["--live=1"],
        ["--li"],
        ["--live", "claude-x"],
        *(
            [limit, *value]
            for limit in ("--max-turns", "--max-tokens-total")
            for value in (
                [],
                ["0"],
                ["-1"],
                ["x"],
                ["1.5"],
                [""],
                ["²"],
                ["9" * 1001],
            )
        ),
        *(
            [*way, *option]
            for way in (["--rewind", "1"], ["--fork", "1", "a"])
            for option in (
                ["--live"],
                ["--max-turns", "3"],
                ["--max-tokens-total", "3"],
                ["--live", "--model", "claude-x"],
            )
        ),
    ],
    ids=lambda wrong: " ".join(wrong)[:40],
)
def test_what_has_no_sense_is_refused(wrong: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(wrong)
