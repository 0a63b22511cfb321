from lesson_code.harness import reconcile, run_agent
from lesson_code.harness.ports import go_on, now_ms
from lesson_code.words import warn


def my_reconcile(checkpoint, tools, folder, *, emit=warn, crash_point=go_on, clock=now_ms):
    return reconcile(checkpoint, tools, folder, emit=emit, crash_point=crash_point, clock=clock)


def my_run_agent(client, task, tools, folder, **options):
    return run_agent(client, task, tools, folder, **options)
