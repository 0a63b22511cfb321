"""The write explorer as text: a line for each step after which a process died, and what that left."""

from collections.abc import Sequence

from ..harness.checkpoint import CHECKPOINT_FILE
from ..lab.disk import Death
from ..words import say

STEPS = {
    "open": "disk_open",
    "chunk": "disk_chunk",
    "flush": "disk_flush",
    "fsync": "disk_fsync",
    "close": "disk_close",
    "replace": "disk_replace",
    "fsync-folder": "disk_fsync_folder",
    "remove": "disk_remove",
}
READS = {"old": "disk_old", "new": "disk_new", "broken": "disk_broken", "missing": "disk_missing"}


def explorer(deaths: Sequence[Death], cuts: Sequence[tuple[str, ...]] = ()) -> str:
    """For each death, the bytes of the checkpoint's file and of the temporary, and what the next process reads.

    With `cuts`, of `lab.power`: what it may read after a power cut at the same step.
    """
    reads = say("disk_may_read") if cuts else say("disk_reads")
    rows = [(say("disk_dies"), CHECKPOINT_FILE, say("disk_temporary"), reads)]
    for number, death in enumerate(deaths):
        chunk = sum(earlier.step[0] == "chunk" for earlier in deaths[: number + 1])
        step = say(STEPS[death.step[0]]) + (f" {chunk}" if death.step[0] == "chunk" else "")
        if cuts:
            seen = say("disk_or").join(say(READS[reads]) for reads in cuts[number])
        else:
            seen = say(READS[death.reads]) + (f": {death.reason}" if death.reason else "")
        rows.append((step, _bytes(death, own=True), _bytes(death, own=False), seen))
    return "\n".join(f"{step:<20}{file:>15}{temporary:>10}  {seen}" for step, file, temporary, seen in rows)


def _bytes(death: Death, *, own: bool) -> str:
    sizes = [len(data) for name, data in death.files.items() if (name == CHECKPOINT_FILE) is own]
    return str(sum(sizes)) if sizes else "–"
