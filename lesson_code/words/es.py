"""The sentences in Spanish. The lines of the log are the protocol's own, to the byte."""

SENTENCES = {
    # the log, on standard output
    "save_a": "[turn {turn}][save A] pending={name}",
    "save_b": "[turn {turn}][save B]",
    "kill": "[kill] caída simulada en {label}",
    "resume": "[resume] leído turn={turn} pending={name}",
    "hit": "[resume][reconcile] tool_use_id={id} name={name} acierto en el registro, "
    "reutilizando resultado, sin volver a ejecutar",
    "rerun": "[resume][reconcile] tool_use_id={id} name={name} fallo en el registro, "
    "herramienta de solo lectura, volviendo a ejecutar",
    "unknown": "[resume][reconcile] tool_use_id={id} name={name} fallo en el registro "
    "con efectos secundarios, no resoluble, agregando is_error",
    "filled": "[turn {turn}][save B] rellenado el resultado de herramienta de este turno tras reanudar",
    "done": "[done] ",
    # warnings, on standard error
    "warning_archived": "aviso: había una tarea anterior en la carpeta; "
    "lo que dejó guardado está en {place} ({pending})",
    "warning_not_noted": "aviso: {name} ({id}) sí se ejecutó, pero no quedó anotada en el registro: si el proceso "
    "muere antes del punto de guardado B, nadie sabrá que ocurrió. Revísalo a mano. Causa: {reason}",
    "warning_other_call": "aviso: el registro tiene anotada otra llamada con el id {id}; "
    "esa anotación se deja como está, no vale para {name} y le quita el lugar",
    "warning_rebuilt": "aviso: el punto de control se guardó antes de agregar el mensaje del modelo; se reconstruyó "
    "la llamada {name} ({id}), pero el texto y el razonamiento de ese turno se perdieron",
    "warning_task_first": "aviso: la conversación guardada no empezaba con la tarea; se puso al principio",
    "warning_label_unused": "aviso: la corrida terminó sin pasar por CRASH_AFTER={label}",
    "pending_none": "sin llamada colgante",
    "pending_call": "llamada colgante: {name}, {id}; puede que su efecto haya ocurrido",
    "pending_unknown": "su punto de control no se pudo leer",
    # checkpoint
    "checkpoint_missing": "No hay ningún punto de control en {folder}: "
    "no hay nada que reanudar. Empieza la tarea sin --resume.",
    "checkpoint_unreadable": "No se puede leer checkpoint.json: {reason}. El archivo queda como está: "
    "arréglalo o recupera una copia antes de reanudar.",
    "checkpoint_rejected": "checkpoint.json no se puede reanudar: {reason}. El archivo queda como está: "
    "recupera una copia, o empieza sin --resume, que lo archiva en previous/.",
    "not_json": "tiene algo que no se puede escribir como JSON en UTF-8",
    "not_saved": "El punto de control no se guardó: {reason}. El que había en disco sigue igual: "
    "corrige el estado y vuelve a guardarlo.",
    "other_task": "El punto de control es de otra tarea («{theirs}») y pediste «{ours}». "
    "Reanuda aquella, o usa otra carpeta.",
    "fault_no_object": "no es un objeto JSON",
    "fault_version": "version={version}, y este programa solo conoce version=1",
    "fault_missing": "falta el campo {field}",
    "fault_unknown": "tiene un campo desconocido, {field}",
    "fault_task": "task tiene que ser un texto con la tarea",
    "fault_counter": "{field} tiene que ser un entero mayor o igual que 0",
    "fault_pending": "pendingToolUse tiene que ser null o un objeto con id, name e input válidos",
    "fault_messages": "messages tiene que ser una lista",
    "fault_shape": "messages[{index}] no tiene la forma de un mensaje",
    "fault_unanswered": "messages[{index}] llama a una herramienta ({ids}) y el mensaje siguiente no trae su resultado",
    "fault_orphan": "messages[{index}] trae un resultado ({ids}) que nadie pidió en el mensaje anterior",
    "fault_repeated_result": "messages[{index}] trae dos resultados para la misma llamada ({ids})",
    "fault_repeated_id": "messages[{index}] repite el id de una llamada anterior ({ids})",
    "fault_dangling": "el último mensaje deja una llamada colgante ({ids}) y pendingToolUse es null",
    "fault_other_call": "pendingToolUse ({id}) no es la llamada que el último mensaje deja abierta",
    # ledger
    "ledger_unreadable": "No se puede usar effects.json: {reason}. El archivo queda como está: arréglalo o recupera "
    "una copia antes de seguir, porque sin él no se sabe qué efectos ya ocurrieron.",
    "not_noted": "No se anotó nada en effects.json: {reason}. El archivo queda como está: corrige la anotación.",
    "ledger_other_call": "el id {id} ya es de otra llamada",
    "fault_entry": "la anotación de {id} no tiene la forma {{name, input, result, at}}, "
    "o no se puede guardar como JSON",
    # JSON and files
    "json_bom": "empieza con una marca BOM",
    "json_utf8": "no es UTF-8 (byte {position})",
    "json_broken": "se corta o se rompe en la línea {line}, columna {column}",
    "json_deep": "anida más de {limit} niveles",
    "json_repeated": "la clave {name} aparece dos veces en el mismo objeto",
    "json_surrogate": "tiene medio carácter (un sustituto suelto) que no se puede escribir en UTF-8",
    "json_number": "{text} no es un número que se pueda guardar",
    "not_a_file": "{name} es un enlace, una carpeta u otra cosa, y tendría que ser un archivo corriente",
    "errno_EACCES": "no hay permiso",
    "errno_EPERM": "no hay permiso",
    "errno_ENOSPC": "no queda espacio en el disco",
    "errno_EDQUOT": "no queda espacio en la cuota de disco",
    "errno_EFBIG": "el archivo es demasiado grande",
    "errno_EROFS": "el disco es de solo lectura",
    "errno_ENOTDIR": "una parte de la ruta no es una carpeta",
    "errno_EEXIST": "otra cosa ocupa el lugar de la carpeta",
    "errno_EISDIR": "hay una carpeta donde debería haber un archivo",
    "errno_ENAMETOOLONG": "el nombre es demasiado largo",
    "errno_ENOENT": "no existe",
    "errno_ELOOP": "hay enlaces que no llevan a ninguna parte",
    "errno_EMFILE": "hay demasiados archivos abiertos",
    "errno_EINVAL": "el sistema de archivos no admite esa operación",
    "errno_EBUSY": "otro programa lo está usando",
    "errno_ENOTEMPTY": "la carpeta no está vacía",
    "errno_EIO": "el disco falló",
    "folder_in_use": "Otro proceso está trabajando en {folder}: no se ejecutó nada. Espera a que termine.",
    # the loop
    "task_unusable": "La tarea está vacía o tiene caracteres que no se pueden guardar: escribe qué hay que hacer.",
    "client_failed": "La solicitud al modelo falló ({kind}: {error}). Lo hecho está guardado: "
    "resuelve la causa y reanuda la tarea (--resume).",
    "stop_reason": "La respuesta del modelo no se puede usar (stop_reason={reason}). Lo hecho está guardado: "
    "reanuda la tarea (--resume) para volver a preguntar.",
    "stop_calls": "El modelo pidió {number} herramientas en una respuesta y este arnés ejecuta una por turno: "
    "no se ejecutó ninguna. Reanuda la tarea (--resume) para volver a preguntar.",
    "stop_end_with_call": "El modelo dio la tarea por terminada y a la vez pidió una herramienta: no se ejecutó. "
    "Reanuda la tarea (--resume) para volver a preguntar.",
    "stop_empty": "El modelo terminó sin escribir nada. Reanuda la tarea (--resume) para volver a preguntar.",
    "stop_used_id": "El modelo repitió el id {id} de una llamada anterior: no se ejecutó. "
    "Reanuda la tarea (--resume) para volver a preguntar.",
    "stop_unreadable": "La respuesta del modelo no tiene la forma de la API ({kind}: {error}). Lo hecho está guardado: "
    "revisa el cliente y reanuda la tarea (--resume).",
    "stop_max_turns": "Se alcanzó el máximo de turnos de la tarea: no se ejecutó la última llamada. "
    "Reanuda la tarea (--resume) con un máximo mayor.",
    "stop_unusable": "La respuesta del modelo trae algo que la API no acepta o que no se puede guardar: "
    "no se ejecutó nada. Reanuda la tarea (--resume) para volver a preguntar.",
    # what the model reads
    "result_unknown": "No se sabe si la llamada a {name} llegó a ejecutarse: el proceso murió y esta llamada no está "
    "anotada en el registro. Para no repetir un efecto, no se volvió a ejecutar. "
    "Comprueba si el efecto ocurrió antes de decidir.",
    "result_without_text": "La herramienta terminó bien, pero su resultado ({kind}) no se puede convertir en texto.",
    "result_cut": "[… recortado: el resultado completo mide {size} bytes …]",
    "tool_unknown": "No existe ninguna herramienta llamada {name}.",
    "tool_refused": "La herramienta se negó y no hizo nada:",
    "tool_failed": "La herramienta falló:",
    "tool_failed_maybe": "La herramienta falló, y es posible que su efecto haya ocurrido. "
    "Compruébalo antes de repetirla:",
    "tool_lazy": "Es una función asíncrona o un generador, y este arnés solo ejecuta funciones comunes.",
    "input_missing": "Falta el dato obligatorio {name}.",
    # the command
    "python_old": "Este curso necesita Python 3.10 o más nuevo.",
    "label_unknown": "CRASH_AFTER={label} no es un momento de caída. Usa uno de estos, con N desde 1: {labels}.",
    "usage_error": "No se entiende «{arguments}». Mira las opciones con: python -m lesson_code.agent --help",
    "help": "python -m lesson_code.agent [--resume] [--workdir CARPETA]\n\n"
    "Convierte sales-notes.txt en un reporte, con un modelo de guion y puntos de control en disco.\n\n"
    "  --resume            continúa desde el punto de control de la carpeta\n"
    "  --workdir CARPETA   carpeta de la tarea (si no la indicas, agent-run)\n\n"
    "Con la variable de entorno CRASH_AFTER=MOMENTO el proceso muere en ese momento (código 137).\n"
    "Códigos de salida: 0 terminó · 1 error · 130 Ctrl+C · 137 caída simulada.",
    "interrupted": "Interrumpido con Ctrl+C. Continúa con --resume.",
    "reader_gone": "Quien leía la salida se fue y la tarea se detuvo. Continúa con --resume.",
    "system_error": "No se pudo seguir en {folder}: {reason}. Lo que se había guardado sigue ahí: "
    "arréglalo y vuelve a intentarlo.",
    "unexpected": "Error inesperado ({kind}: {error}). Lo que se había guardado sigue en la carpeta.",
    "sample_notes": "Ventas del primer trimestre\nenero: 120 unidades\nfebrero: 95 unidades\nmarzo: 143 unidades",
    # the laboratory
    "label_swallowed": "La caída en {label} ocurrió, pero el arnés la capturó y siguió: así no se puede mirar nada.",
    "label_never": "La corrida terminó sin pasar por {label}: esa caída no ocurrió y no hay nada que mirar.",
    "path_not_text": "La ruta tiene que ser un texto.",
    "path_odd": "La ruta {path} no vale: usa una ruta relativa, con nombres que empiecen por letra, dígito o _.",
    "path_own": "La ruta {path} es de los archivos del arnés: elige otro nombre.",
    "path_link": "La ruta {path} no es un archivo corriente o pasa por un enlace.",
    "path_missing": "No existe el archivo {path}.",
    "content_not_text": "El contenido tiene que ser un texto en UTF-8.",
    "report_written": "Reporte escrito en {path}.",
    "about_read_notes": "Lee un archivo de texto de la carpeta de la tarea.",
    "about_count_words": "Cuenta las palabras de un texto.",
    "about_write_report": "Escribe el reporte en un archivo de la carpeta de la tarea.",
    # what the scripted model says
    "model_reads": "Primero leo las notas.",
    "model_counts": "Cuento las palabras.",
    "model_writes": "Escribo el reporte.",
    "model_looks": "No sé si el reporte se escribió: miro el archivo antes de repetir.",
    "model_writes_again": "Escribo el reporte otra vez.",
    "model_report": "Reporte de ventas: {lines} líneas de notas, {words} palabras.",
    "model_done": "Reporte escrito en report.txt, tarea completa.",
    "model_gives_up": "No puedo terminar la tarea: una herramienta falló.",
    # figures
    "figure_turn_title": "Un turno: dónde se guarda y dónde puede morir",
    "figure_answer": "respuesta",
    "figure_answer_does": "nombra la llamada",
    "figure_save_a": "guardado A",
    "figure_save_a_does": "la guarda colgante",
    "figure_tool": "herramienta",
    "figure_tool_does": "cambia el mundo",
    "figure_ledger": "registro",
    "figure_ledger_does": "anota el resultado",
    "figure_save_b": "guardado B",
    "figure_save_b_does": "cierra el turno",
    "figure_disk": "En disco queda:",
    "figure_disk_a": "A, sin anotación",
    "figure_disk_ledger": "A, con anotación",
    "figure_disk_b": "B, con anotación",
}
