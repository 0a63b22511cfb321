from dataclasses import asdict, dataclass


@dataclass
class Saved:
    task: str
    turns: int
    tokens: int
    messages: list
    call: dict | None


def what_to_save(scene):
    return asdict(Saved(scene["task"], scene["turns"], scene["tokensUsed"], scene["messages"], scene["call"]))
