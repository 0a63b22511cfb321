"""The write explorer as text: a line for each step after which a process died, and what that left."""

from collections.abc import Sequence

from ..harness.checkpoint import CHECKPOINT_FILE
from ..lab.disk import BROKEN, MISSING, NEW, OLD, Death
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
READS = {OLD: "disk_old", NEW: "disk_new", BROKEN: "disk_broken", MISSING: "disk_missing"}


def explorer(deaths: Sequence[Death], cuts: Sequence[tuple[str, ...]] = ()) -> str:
    """For each death, the bytes of the checkpoint's file and of the temporary, and what the next process reads.

    With `cuts`, of `lab.power`: what it may read after a power cut at the same step.
    """
    seen = say("disk_may_read") if cuts else say("disk_reads")
    rows = [(say("disk_dies"), CHECKPOINT_FILE, say("disk_temporary"), seen)]
    chunks = 0
    for number, death in enumerate(deaths):
        step = say(STEPS[death.step[0]])
        if death.step[0] == "chunk":
            chunks += 1
            step += f" {chunks}"
        seen = say("disk_or").join(say(READS[reads]) for reads in cuts[number]) if cuts else _read(death)
        rows.append((step, _bytes(death, own=True), _bytes(death, own=False), seen))
    return "\n".join(f"{step:<20}{file:>15}{temporary:>10}  {seen}" for step, file, temporary, seen in rows)


def _read(death: Death) -> str:
    return say(READS[death.reads]) + (f": {death.reason}" if death.reason else "")


def _bytes(death: Death, *, own: bool) -> str:
    """How many bytes the checkpoint's file has or, not `own`, the others; a dash where there is no file."""
    sizes = [len(data) for name, data in death.files.items() if (name == CHECKPOINT_FILE) is own]
    return str(sum(sizes)) if sizes else "–"
