"""The harness that the six lessons build, and the laboratory where it is killed."""

import sys

from .words import say

if sys.version_info < (3, 10):  # noqa: UP036  # whoever runs it may have an older one
    sys.exit(say("python_old"))
