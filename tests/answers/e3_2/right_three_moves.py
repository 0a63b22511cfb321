from lesson_code.harness.tools import run_tool, tool_result


class Moves:
    def __init__(self, call, tools):
        self.call = call
        self.tools = tools

    def again(self):
        return run_tool(self.call, self.tools)

    def ask(self):
        told = "Nadie sabe si esta llamada llegó a ocurrir. Compruébalo antes de repetirla."
        return tool_result(self.call["id"], told, is_error=True)


def only_reads(name, tools):
    return bool(getattr(tools.get(name), "read_only", False))


def reconcile(checkpoint, tools, moves=Moves):
    match checkpoint["pendingToolUse"]:
        case None:
            return None
        case {"name": name} as call if only_reads(name, tools):
            return moves(call, tools).again()
        case call:
            return moves(call, tools).ask()
