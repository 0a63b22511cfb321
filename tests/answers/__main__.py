"""Try an exercise's checks by hand: `python -m tests.answers 3.2` judges its answers, and then every mutant."""

import statistics
import sys
from inspect import getsource

from lesson_code.course.exercises.tasks import solution_module, task_of

from .files import answers_of, equivalent, inner_errors, is_accepted, is_as_promised, promised
from .judge import Judge
from .mutants import mutants_of

if __name__ == "__main__":
    number = sys.argv[1]
    times, known = [], equivalent(number)
    with Judge(number) as judge:
        for path in answers_of(number):
            found = judge.verdicts(path.read_text(encoding="utf-8"))
            wrong = {name: verdict for name, verdict in found.items() if verdict}
            print("ok  " if is_as_promised(path, found) else "BAD ", path.name, "·", promised(path), "·", wrong)
        for name, source in mutants_of(getsource(solution_module(task_of(number)))):
            found = judge.verdicts(source)
            times.append(judge.seconds)
            if inner_errors(found):
                print("INNER", name, inner_errors(found))
            if is_accepted(found):
                print("equivalent" if name in known else "GREEN", name)
    print(len(times), "mutants, median", round(statistics.median(times), 3), "s, longest", round(max(times), 2), "s")
