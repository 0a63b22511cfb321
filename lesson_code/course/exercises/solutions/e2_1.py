ANSWERS = {
    # Con `version` o sin ella, hoy las cuatro líneas hacen lo mismo: por eso no la muestra ninguna.
    "a": "version",
    "a_shown": "none",
    # Las cuatro creen que la tarea es «¿?»: aquí vale cualquiera.
    "b": "task",
    "b_shown": "plain",
    # Dos turnos hechos, un máximo de dos, y la tarea llegó a tres.
    "c": "turns",
    "c_shown": "turns_limit",
    # Un presupuesto de 600, y se pagaron 1080.
    "d": "tokensUsed",
    "d_shown": "budget",
    # Entre A y B: «colgante: nada», y la API dice que no.
    "e": "pendingToolUse",
    "e_shown": "between",
}
