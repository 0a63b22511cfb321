"""What the disk says is pending, looked at while a harness works."""

from lesson_code.lab.looks import looks
from lesson_code.lab.strategies import STRATEGIES


def test_the_disk_names_a_tool_that_begins_only_where_a_is_saved() -> None:
    tools = ["read_notes", "count_words", "write_report"]
    for strategy, named in {"scratch": False, "b_only": False, "naive": True}.items():
        seen = looks(STRATEGIES[strategy])
        assert [moment for moment, _ in seen] == ["ask", tools[0], "ask", tools[1], "ask", tools[2], "ask"]
        assert [pending for moment, pending in seen if moment == "ask"] == [None] * 4
        assert [pending for moment, pending in seen if moment != "ask"] == (tools if named else [None] * 3)
