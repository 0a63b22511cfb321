"""The exercises of lesson 3 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "3.2": {
        "title": "El correo que llegó dos veces",
        "criteria": {
            "cause": "la causa nombra la ventana: A en disco, el efecto hecho, B sin guardar; y dice que la "
            "conciliación ejecutó otra vez sin saber en cuál de los dos casos estaba",
            "once": "el mundo tiene exactamente un correo en ① y en ②, y también en ③; en la otra tarea, una "
            "sola escritura del reporte",
            "read_only": "una llamada colgante de solo lectura se ejecuta otra vez, y el final es el de una "
            "corrida sin caída",
            "gone": "una herramienta que ya no existe recibe `is_error`, y no una excepción",
            "accepted": "nunca hay un 400: la llamada colgante recibe un solo `tool_result`, con su mismo id, y "
            "donde no hay llamada colgante no se inventa ninguno",
            "truth": "lo que responde sin `is_error` es verdad: el mundo ya lo tiene",
            "wording": "el texto que lee el modelo no dice «falló», «no se hizo» ni «se envió» si no lo sabes",
        },
        "hints": [
            "Pregúntate qué sabe tu función en ① que no sepa en ②. Si la respuesta es «nada», o lo averigua "
            "mirando el mundo, o lo dice.",
            "Son tres casos, y el orden importa: no hay nada colgante; la herramienta solo lee; todo lo demás. "
            "¿Y si la herramienta ya no está?",
            "De la herramienta que solo lee, `run_tool` da el resultado. De las demás, `tool_result` con "
            "`is_error` y un texto que diga qué se sabe y qué no.",
        ],
        "faults": {
            "none": (
                "un `tool_result` para `{name}`, que quedó colgante",
                "la función devolvió `None`",
                "la caída en {moment}",
                "¿qué lee el modelo si nadie responde a su llamada?",
            ),
            "shape": (
                "un bloque `tool_result`: un diccionario con su `type`",
                "algo de tipo `{kind}`",
                "la caída en {moment}",
                "mira qué devuelven `run_tool` y `tool_result`.",
            ),
            "other_id": (
                "el `tool_use_id` de la llamada colgante, `{wanted}`",
                "`{got}`",
                "la caída en {moment}",
                "la API empareja cada resultado con su llamada por el id.",
            ),
            "content": (
                "un `content` de texto, y un `is_error` que sea verdadero o falso",
                "un `content` de tipo `{kind}`",
                "la caída en {moment}",
                "lo que devuelve una herramienta puede no ser texto: pásalo por `run_tool`.",
            ),
            "mails": (
                "un correo en el mundo al terminar",
                "{count}",
                "la caída en {moment}, y después reanudar",
                "¿puede tu función saber si el correo ya salió? Mira qué hace con una herramienta que tiene efectos.",
            ),
            "reports": (
                "una escritura del reporte al terminar",
                "{count}",
                "en la tarea del reporte, la caída en {moment} del turno 3, y después reanudar",
                "en esta tarea no hay nada con qué mirar los correos: ¿qué hace tu función entonces?",
            ),
            "read_only_error": (
                "que `read_notes` se ejecute otra vez",
                "un `is_error`",
                "la caída en {moment} de `read_notes`",
                "leer otra vez no le hace nada al mundo: pregúntale a la herramienta si solo lee.",
            ),
            "read_only_other": (
                "el punto de control final de una corrida sin caída",
                "otro distinto",
                "la caída en {moment} de `read_notes`",
                "el modelo tiene que leer lo mismo que habría leído. Compara tu resultado con el de `run_tool`.",
            ),
            "gone": (
                "`is_error`: nadie sabe qué hizo `{name}`",
                "un resultado sin `is_error`",
                "reanudar con un diccionario de herramientas vacío",
                "mira si el nombre está en `tools` antes de usarlo.",
            ),
            "invented": (
                "`None`: no hay nada colgante",
                "un resultado",
                "el punto de control de ③",
                "un `tool_result` sin su llamada también es un 400.",
            ),
            "stopped": (
                "que la tarea termine",
                "se detuvo: {reason}",
                "la caída en {moment}, y después reanudar",
                "mira qué recibe la llamada colgante, y cuántas veces.",
            ),
            "claims": (
                "que un resultado sin `is_error` sea verdad",
                "el modelo leyó «{text}», y en el mundo no hay ningún correo",
                "la caída en {moment}",
                "«no lo sé» también es una respuesta, y tiene su sitio: `is_error`.",
            ),
        },
        "moments": {
            "mail": "al reanudar después de la caída en {moment}, en la tarea del correo",
            "report": "al reanudar después de la caída en {moment} del turno {turn}, en la tarea del reporte",
            "gone": "al conciliar `{name}` con un diccionario de herramientas vacío",
            "nothing": "al conciliar un punto de control en el que no hay nada colgante",
        },
        "model": {
            "cause": "El proceso murió en ②: A estaba en disco, el correo había salido y B no se había guardado. "
            "`reconcile_prod` ejecutó otra vez la llamada colgante sin saber si estaba en ① o en ②. Nadie vio un "
            "error, porque la API recibió una conversación válida y el modelo un éxito.",
            "wording": "El texto dice lo que se sabe: que el proceso murió antes de guardar el resultado, que el "
            "efecto pudo ocurrir o no, y que conviene mirar antes de repetir.",
        },
    },
}
