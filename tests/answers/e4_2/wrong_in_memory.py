# process: new_between
# remembers in a dictionary, which dies with its process

from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import run_tool

DONE = {}


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        if call["id"] not in DONE:
            result = run_tool(call, tools)
            if "is_error" not in result:
                DONE[call["id"]] = result
            results.append(result)
        else:
            results.append(DONE[call["id"]])
    return results
