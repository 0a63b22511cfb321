"""What lesson 4 gives to begin with in 4.2."""

from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import run_tool


def run_tool_uses(content, tools, folder):
    """El tool_result de cada tool_use, en orden."""
    results = []
    for call in tool_uses(content):
        results.append(run_tool(call, tools))
    return results
