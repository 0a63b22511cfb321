from lesson_code.harness.calls import run_tool_uses as the_course_s


def run_tool_uses(content, tools, folder):
    return the_course_s(content, tools, folder)
