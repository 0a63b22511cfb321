"""The exercises in Spanish, by number. Of each one:

`title`; `criteria`: by id, the lesson's sentences; `hints`: from the idea to the line; `faults`: by key, four sentences
(what was expected, what came out, the crash or the case that shows it, the hint that fits); `moments`: by key, what the
check was about to try; `model`: by the id of a criterion that the learner ticks, the model answer. Of a form also
`fields`: what each field asks, `options`: what each option is called, `why`: by field, the hint for a wrong answer.
"""

from typing import Any

from . import lesson1, lesson2, lesson3, lesson4, lesson5, lesson6

EXERCISES: dict[str, dict[str, Any]] = {
    number: words
    for lesson in (lesson1, lesson2, lesson3, lesson4, lesson5, lesson6)
    for number, words in lesson.EXERCISES.items()
}
