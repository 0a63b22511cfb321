"""The exercises of lesson 3 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "3.1": {
        "title": "Un zoológico de puntos de control",
        "criteria": {
            "actions": "elegiste una acción para cada una de las nueve carpetas, y coinciden con la corrida",
            "reasons": "das el motivo de cada una: qué campo o qué mensaje la decide",
            "version": "explicas qué cambia en la `b` que para Python `True == 1`",
            "nature": "explicas qué distingue a la `a` de la `c`, que tienen las dos algo colgante",
            "untouched": "explicas por qué, donde el arnés se niega, el archivo tiene que quedar como estaba",
        },
        "hints": [
            "Tres preguntas, en el orden del camino de vuelta: ¿se puede usar este archivo, para esta tarea? "
            "¿Terminó? ¿Qué quedó colgante, y qué le hace al mundo?",
            "Para la primera, mira la tarea, la versión y los campos, y también el tipo de cada valor. Para la "
            "segunda, de quién es el último mensaje y si pide algo.",
            "Para la tercera, mira qué herramienta es y recuerda cuáles solo leen. Si no hay ninguna colgante, "
            "mira a quién le toca hablar.",
        ],
        "fields": {
            "a": "¿Qué se hace con la carpeta `a`?",
            "b": "¿Qué se hace con la carpeta `b`?",
            "c": "¿Qué se hace con la carpeta `c`?",
            "d": "¿Qué se hace con la carpeta `d`?",
            "e": "¿Qué se hace con la carpeta `e`?",
            "f": "¿Qué se hace con la carpeta `f`?",
            "g": "¿Qué se hace con la carpeta `g`?",
            "h": "¿Qué se hace con la carpeta `h`?",
            "i": "¿Qué se hace con la carpeta `i`?",
        },
        "options": {
            "answer": "responder",
            "ask": "preguntar",
            "rerun": "ejecutar",
            "unknown": "avisar",
            "refuse": "rechazar",
        },
        "why": {
            "a": "en la `a`, mira qué herramienta quedó colgante, y qué le hace al mundo si corre dos veces.",
            "b": "en la `b`, mira de qué tipo es cada valor, y no solo cuánto vale.",
            "c": "en la `c`, la llamada colgante pudo haber ocurrido, o no. ¿Qué dice de eso el archivo?",
            "d": "en la `d`, ¿de quién es el último mensaje, y pide algo?",
            "e": "en la `e`, cuenta los campos. ¿De dónde saldría el que no está?",
            "f": "en la `f` no hay nada colgante, y el último mensaje es un resultado. ¿A quién le toca?",
            "g": "en la `g`, compara la tarea que piden con la del archivo.",
            "h": "en la `h`, ¿está entero el archivo?",
            "i": "en la `i`, ¿sabe tu arnés qué significa cada campo en esa versión?",
        },
        "model": {
            "reasons": "En `a` y `c`, `pendingToolUse` nombra una llamada, y decide si su herramienta solo lee. "
            "En `d`, el último mensaje es del modelo y no pide nada: terminó. En `f` es el resultado de una "
            "llamada: le toca al modelo. Las otras no se pueden usar: `b` e `i` por `version`, `e` porque falta "
            "`tokensUsed`, `g` por `task`, y `h` porque no es JSON entero.",
            "version": "El lector mira el tipo además del valor. Ningún programa del curso escribe `true` como "
            "versión, así que nadie sabe quién escribió ese archivo ni qué más cambió en él. Que Python los dé "
            "por iguales no dice nada de eso.",
            "nature": "`read_notes` solo lee: ejecutarla otra vez deja el mundo igual, y el modelo recibe lo que "
            "pidió. El correo de `send_email` pudo haber salido, y el archivo no lo dice: se responde que no se "
            "sabe, y el modelo mira antes de repetir.",
            "untouched": "Ese archivo es lo único que queda de la tarea. Quien venga a arreglarlo, una persona o "
            "una versión nueva del programa, lo necesita entero. Un arnés que lo borra o lo corrige convierte lo "
            "que no entiende en trabajo perdido.",
        },
    },
    "3.2": {
        "title": "El correo que llegó dos veces",
        "criteria": {
            "cause": "la causa nombra la ventana: A en disco, el efecto hecho, B sin guardar; y dice que la "
            "conciliación ejecutó otra vez sin saber en cuál de los dos casos estaba",
            "once": "el mundo tiene exactamente una vez el correo de la tarea en ① y en ②, y también en ③; en la "
            "otra tarea, una sola escritura del reporte",
            "read_only": "una llamada colgante de solo lectura se ejecuta otra vez, y el final es el de una "
            "corrida sin caída; lo decide lo que declara la herramienta, no su nombre",
            "gone": "una herramienta que ya no existe recibe `is_error`, y no una excepción ni un texto que "
            "afirme que no hizo nada",
            "accepted": "nunca hay un 400: la llamada colgante recibe un solo `tool_result`, con su mismo id, y "
            "donde no hay llamada colgante no se inventa ninguno",
            "truth": "si tu función responde sin `is_error` a una llamada con efectos, el efecto ya está en el mundo",
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
            "flag": (
                "un `is_error` que sea verdadero o falso, o ninguno",
                "un `is_error` de tipo `{kind}`",
                "la caída en {moment}",
                "`tool_result` lo pone, cuando hace falta, con la forma que pide la API.",
            ),
            "content": (
                "un `content` que la API acepte y que se pueda guardar: un texto",
                "un `content` de tipo `{kind}`",
                "la caída en {moment}",
                "lo que devuelve una herramienta puede no ser texto: pásalo por `run_tool`.",
            ),
            "spoiled": (
                "que `checkpoint` quede como estaba: quien agrega el resultado a `messages` y guarda es el arnés",
                "la función lo cambió",
                "la caída en {moment} de `{name}`",
                "tu función da el `tool_result`, y nada más.",
            ),
            "never": (
                "que el efecto de `{name}` ocurra una vez",
                "no ocurrió, y el modelo lo dio por hecho",
                "la caída en {moment} de `{name}`, y después reanudar; otros mandaron correos parecidos antes y "
                "después",
                "¿qué leyó el modelo, y con `is_error` o sin él? Si miras los enviados, compara el correo entero.",
            ),
            "mails": (
                "una vez en el mundo el correo de la tarea, al terminar",
                "{count} veces",
                "la caída en {moment}, y después reanudar en un proceso nuevo; otros mandaron correos parecidos "
                "antes y después",
                "¿de dónde saca tu función si este correo ya salió? Un proceso nuevo no recuerda nada de lo "
                "anterior. Si miras los enviados, míralos todos.",
            ),
            "reports": (
                "una escritura del reporte al terminar",
                "{count}",
                "en la tarea del reporte, la caída en {moment} del turno 3, y después reanudar en un proceso nuevo",
                "en esta tarea no hay una herramienta que liste lo enviado, y un proceso nuevo no recuerda nada: "
                "¿qué hace tu función entonces?",
            ),
            "read_only_error": (
                "que `{name}`, de solo lectura, se ejecute otra vez",
                "un `is_error`",
                "la caída en {moment} de `{name}`",
                "leer otra vez no le hace nada al mundo: pregúntale a la herramienta si solo lee.",
            ),
            "read_only_other": (
                "que el modelo lea {wanted}",
                "leyó {got}",
                "la caída en {moment} de `{name}`",
                "el modelo tiene que leer lo mismo que habría leído, y lo que devuelve una herramienta no "
                "siempre es texto. ¿Qué función del arnés lo convierte?",
            ),
            "undeclared_ran": (
                "que no se ejecute: `{name}` no dice que solo lea",
                "la ejecutaste",
                "una herramienta que se llama `{name}` y no está declarada de solo lectura",
                "lo que no se declara se trata como si tuviera efectos. ¿A quién se lo preguntas?",
            ),
            "undeclared_fine": (
                "`is_error`: `{name}` no dice que solo lea, y nadie sabe qué hizo",
                "no la ejecutaste, pero el modelo leyó {text} sin `is_error`",
                "una herramienta que se llama `{name}` y no está declarada de solo lectura",
                "sin `is_error`, cualquier texto pasa por el resultado de una llamada que terminó bien.",
            ),
            "gone": (
                "`is_error`: nadie sabe qué hizo `{name}`",
                "sin `is_error`, el modelo leyó {text}",
                "reanudar sin `{name}` en `tools`; los que hay: {known}",
                "sin `is_error`, cualquier texto pasa por el resultado de una llamada que terminó bien.",
            ),
            "gone_denied": (
                "un texto que diga lo que se sabe: `{name}` pudo haber ocurrido antes de la caída",
                "el modelo leyó {text}",
                "reanudar sin `{name}` en `tools`; los que hay: {known}; la caída fue en ②",
                "esa frase habla de la llamada que acabas de intentar, y el modelo preguntó por la de antes. "
                "¿Quién la escribe?",
            ),
            "invented": (
                "`None`: no hay nada colgante",
                "un resultado",
                "el punto de control de ③, o el de la tarea terminada",
                "un `tool_result` sin su llamada también es un 400.",
            ),
            "stopped": (
                "que la tarea termine",
                "la detuvo un 400: {reason}",
                "la caída en {moment} de `{name}`, y después reanudar",
                "mira qué recibe la llamada colgante, y qué texto lleva.",
            ),
            "claims": (
                "`is_error`, o un efecto que ya esté en el mundo",
                "sin `is_error`, el modelo leyó {text}, y el efecto no había ocurrido",
                "la caída en {moment} de `{name}`; otros mandaron correos parecidos antes y después",
                "sin `is_error`, cualquier texto pasa por un éxito, también «no lo sé». Si miras los enviados, "
                "compara el correo entero.",
            ),
        },
        "moments": {
            "resume": "al reanudar después de la caída en {moment} de `{name}`",
            "undeclared": "al conciliar `{name}`, que en `tools` no está declarada de solo lectura",
            "gone": "al conciliar `{name}`, que ya no está en `tools`; los que hay: {known}",
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
