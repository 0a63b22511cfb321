"""The lessons are run as a reader has them who has done nothing yet: the progress that you have is not touched."""

import atexit
import os
import shutil
import tempfile

EMPTY = tempfile.mkdtemp(prefix="curso-pruebas-")
atexit.register(shutil.rmtree, EMPTY, ignore_errors=True)
os.environ["COURSE_PROGRESS"] = os.path.join(EMPTY, "progress.json")
