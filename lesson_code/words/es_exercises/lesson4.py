"""The exercises of lesson 4 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "4.1": {
        "title": "Seis herramientas",
        "criteria": {
            "world": "dices de las seis si son idempotentes, y coincides con lo que dice el mundo",
            "condition": "de cada idempotente señalas la condición que, rota entre las dos ejecuciones, deja "
            "otro mundo; de las demás, que no aplica",
            "why": "de cada una dices por qué: qué queda en el mundo después de la segunda vez, y por qué el "
            "valor devuelto no decide",
            "risk": "dices qué riesgo trae repetirla a ciegas: en las que no lo son, qué queda de más y a quién "
            "le duele; en las otras, qué se pierde si su condición no se cumple",
        },
        "hints": [
            "Haz la pregunta de la sección 2, y después imagina que entre las dos ejecuciones pasan tres horas y "
            "trabaja otra persona.",
            "Para la condición, busca qué tendría que hacer esa persona para que la segunda ejecución le "
            "estropee algo, o le agregue algo al mundo.",
            "Que la segunda vez devuelva un error, u otro valor, no dice nada del mundo. Mira los archivos y los "
            "efectos.",
        ],
        "fields": {
            "read_file": "`read_file`: con los mismos datos, ¿es idempotente?",
            "read_file_condition": "`read_file`: ¿de qué condición depende?",
            "send_email": "`send_email`: con los mismos datos, ¿es idempotente?",
            "send_email_condition": "`send_email`: ¿de qué condición depende?",
            "ensure_ticket": "`ensure_ticket`: con los mismos datos, ¿es idempotente?",
            "ensure_ticket_condition": "`ensure_ticket`: ¿de qué condición depende?",
            "append_log": "`append_log`: con los mismos datos, ¿es idempotente?",
            "append_log_condition": "`append_log`: ¿de qué condición depende?",
            "set_config": "`set_config`: con los mismos datos, ¿es idempotente?",
            "set_config_condition": "`set_config`: ¿de qué condición depende?",
            "delete_file": "`delete_file`: con los mismos datos, ¿es idempotente?",
            "delete_file_condition": "`delete_file`: ¿de qué condición depende?",
        },
        "options": {
            "same_world": "sí",
            "other_world": "no",
            "finds": "que su búsqueda encuentre lo que creó la primera vez",
            "name": "que nadie vuelva a crear el archivo que borró",
            "value": "que nadie cambie en medio el valor que puso",
            "reads": "que leer no dispare nada en otro sitio",
            "same_answer": "que devuelva lo mismo las dos veces",
            "none": "no aplica: no es idempotente",
        },
        "why": {
            "read_file": "en `read_file`, ¿qué archivo o qué efecto sería distinto después de la segunda vez?",
            "send_email": "en `send_email`, ponte en el lugar de quien recibe.",
            "ensure_ticket": "en `ensure_ticket`, ¿qué hace la segunda vez, con el ticket ya abierto?",
            "append_log": "en `append_log`, cuenta las líneas después de cada vez.",
            "set_config": "en `set_config`, compara `config.json` después de cada vez.",
            "delete_file": "en `delete_file`, mira qué hay en la carpeta después de cada vez, y no lo que devuelve.",
            "read_file_condition": "en `read_file`, haz que otra persona cambie el archivo en medio: cambia el "
            "valor. ¿Y el mundo?",
            "send_email_condition": "en `send_email`, primero mira si el mundo queda igual.",
            "ensure_ticket_condition": "en `ensure_ticket`, ¿qué podría hacer otra persona con el ticket entre "
            "una vez y la otra?",
            "append_log_condition": "en `append_log`, primero mira si el mundo queda igual.",
            "set_config_condition": "en `set_config`, ¿el cambio de quién podría pisar la segunda vez?",
            "delete_file_condition": "en `delete_file`, ¿qué podría borrar la segunda vez que no borró la primera?",
        },
        "model": {
            "why": "`read_file` no toca nada. `ensure_ticket` encuentra el ticket que abrió. `set_config` deja "
            "el mismo valor fijo. `delete_file` da un error la segunda vez, y «no está» es lo que se quería: "
            "cuenta como hecho. `send_email` y `append_log` agregan algo cada vez, aunque devuelvan lo mismo. El "
            "valor no decide porque lo lee el modelo, y lo que queda en el mundo lo sufre otro.",
            "risk": "`send_email`: un segundo correo, que molesta al cliente. `append_log`: una línea de más, "
            "que engaña a quien cuente líneas. `ensure_ticket`: otro ticket y otro técnico, si alguien cerró el "
            "primero. `set_config`: se pisa el cambio que otra persona hizo en medio. `delete_file`: se borra un "
            "archivo nuevo con el mismo nombre. `read_file`: ninguno, si leer no dispara nada.",
        },
    },
    "4.2": {
        "title": "El ticket que se abrió dos veces",
        "criteria": {
            "two": "**dos llamadas distintas** con los mismos datos, en un mismo `content`, ocurren las dos",
            "replay": "**la misma llamada otra vez**, con su id, no se ejecuta y devuelve el mismo `tool_result`",
            "other": "**otro id**, más tarde y con los mismos datos, sí se ejecuta; y el mismo id con otros "
            "datos tampoco es un acierto: se ejecuta, y la anotación que había se queda como está",
            "empty": "**un resultado vacío** también cuenta: una herramienta que devuelve `None`, `0` o un texto "
            "vacío se ejecuta una sola vez",
            "failed": "**una herramienta que falla** devuelve `is_error`, no queda anotada y no detiene la "
            "llamada que sigue",
            "unwritable": "**si no se puede anotar**, el modelo recibe el resultado verdadero, sin `is_error`",
            "unreadable": "**con el registro ilegible**, lanza `LedgerError` sin ejecutar nada y sin tocar el archivo",
            "process": "**un proceso nuevo** tampoco repite lo que terminó, muera donde muera el anterior, y sí "
            "ejecuta lo que no había empezado: todo lo que recuerda está en disco, y se puede leer en cualquier "
            "instante",
            "warned": "**si no se pudo anotar**, lo sabe una persona: tu función le avisa aparte, y al modelo no "
            "le dice nada de eso",
        },
        "hints": [
            "Hay tres preguntas, y cada una tiene su sitio: qué se mira antes de ejecutar, qué tiene que ser "
            "verdad para que algo merezca anotarse, y a quién se le cuenta que no se pudo anotar.",
            "Las tres van dentro del bucle, llamada por llamada: consultar, ejecutar y anotar esta antes de "
            "pasar a la siguiente. Un acierto también agrega su `tool_result`.",
            "Que haya anotación y que su resultado tenga algo escrito son dos cosas distintas. Mira con qué "
            "pregunta tu `if`.",
            "El `try` rodea la anotación y nada más, y su `except` no cambia el resultado. Hay más de una manera "
            "de no poder anotar.",
        ],
        "faults": {
            "none": (
                "un `tool_result` por cada llamada",
                "un `None` dentro de la lista",
                "una llamada a `{name}`",
                "mira qué agregas a la lista en cada rama.",
            ),
            "shape": (
                "bloques `tool_result`: diccionarios con su `type`",
                "algo de tipo `{kind}`",
                "una llamada a `{name}`",
                "mira qué devuelven `run_tool` y `tool_result`.",
            ),
            "other_id": (
                "los `tool_result` en el orden de las llamadas, cada uno con su id: `{wanted}`",
                "`{got}`",
                "una llamada a `{name}`",
                "la API empareja cada resultado con su llamada por el id.",
            ),
            "flag": (
                "un `is_error` que sea verdadero o falso, o ninguno",
                "un `is_error` de tipo `{kind}`",
                "una llamada a `{name}`",
                "`run_tool` lo pone cuando hace falta.",
            ),
            "content": (
                "un `content` de texto",
                "un `content` de tipo `{kind}`",
                "una llamada a `{name}`",
                "mira qué guardas en la anotación como resultado, y qué haces con eso después.",
            ),
            "no_list": (
                "una lista con los `tool_result`",
                "algo de tipo `{kind}`",
                "cualquier llamada",
                "revisa qué devuelve tu función cuando termina.",
            ),
            "how_many": (
                "un `tool_result` por llamada: {wanted}",
                "{got}",
                "llamadas en el `content`: {wanted}",
                "el modelo espera respuesta a todas, también a las que no se ejecutan.",
            ),
            "left_unreadable": (
                "un registro que se pueda leer",
                "`effects.json` no se puede leer",
                "lo que quedó en la carpeta después de tu función",
                "`save_effect` escribe el archivo entero, de una vez.",
            ),
            "merged": (
                "dos tickets en el mundo",
                "{count}",
                "dos llamadas con los mismos datos en un mismo `content`",
                "¿qué tienen distinto las dos llamadas? Esa es la clave del registro.",
            ),
            "mixed": (
                "el resultado de cada llamada, como lo dio la herramienta",
                "{text}",
                "dos llamadas con los mismos datos en un mismo `content`",
                "mira de dónde sale el texto de la segunda.",
            ),
            "repeated": (
                "dos tickets: los de la primera vez",
                "{count}",
                "las mismas dos llamadas, que llegan otra vez con sus ids",
                "antes de ejecutar, ¿a quién le preguntas si ya se hizo?",
            ),
            "other_result": (
                "el mismo resultado que la primera vez: {wanted}",
                "{got}",
                "las mismas dos llamadas, que llegan otra vez con sus ids",
                "el modelo necesita lo que salió, y eso está en la anotación.",
            ),
            "taken_for_a_replay": (
                "dos tickets, y el resultado de la segunda llamada",
                "{count} en el mundo; el modelo leyó {text}",
                "una llamada con otro id, más tarde y con los mismos datos",
                "el registro reconoce una repetición, no un segundo pedido.",
            ),
            "taken_by_its_id": (
                "que se ejecute una vez: un ticket",
                "{count} en el mundo; el modelo leyó {text}",
                "una llamada cuyo id está anotado con otros datos",
                "un acierto pide algo más que el id. Hay una función que compara.",
            ),
            "ran_and_told_otherwise": (
                "que el modelo lea lo que dio la herramienta",
                "se ejecutó, y el modelo leyó {text}",
                "una llamada cuyo id está anotado con otros datos",
                "la herramienta terminó bien. ¿Qué cambia después lo que lee el modelo?",
            ),
            "entry_lost": (
                "la anotación que había, como estaba",
                "otra",
                "una llamada cuyo id está anotado con otros datos",
                "una anotación es definitiva.",
            ),
            "empty_again": (
                "una sola ejecución",
                "{count}",
                "la misma llamada dos veces, a una herramienta que devuelve {value}",
                "un texto vacío también es un resultado. ¿Qué pregunta tu `if`: si hay anotación, o si su "
                "resultado tiene algo?",
            ),
            "empty_other": (
                "las dos veces el mismo resultado, sin `is_error`; la primera: {first}",
                "la segunda: {got}",
                "la misma llamada dos veces, a una herramienta que devuelve {value}",
                "compara lo que anotas con lo que lee el modelo la primera vez.",
            ),
            "failed_told_fine": (
                "`is_error`",
                "un resultado sin `is_error`: {text}",
                "una herramienta que lanza un error",
                "`run_tool` convierte el error en un resultado. ¿Lo cambias después?",
            ),
            "failed_stops_the_next": (
                "que la llamada siguiente se ejecute",
                "{text}",
                "una llamada que falla y otra detrás, en un mismo `content`",
                "la segunda llamada no tiene la culpa de la primera.",
            ),
            "failed_noted": (
                "un registro sin esa llamada",
                "la llamada está anotada",
                "una herramienta que lanza un error",
                "solo lo que terminó bien merece una anotación.",
            ),
            "failed_for_ever": (
                "que se ejecute, y esta vez salga bien",
                "{text}",
                "la misma llamada otra vez, con la herramienta ya arreglada",
                "el error de ayer no es el resultado de hoy.",
            ),
            "told_failed": (
                "el resultado verdadero: el ticket está abierto",
                "un `is_error`: {text}. Tickets en el mundo: {count}",
                "una herramienta que termina bien, y un registro que no se puede escribir",
                "la herramienta no falló. ¿De quién es el problema, y quién tiene que saberlo?",
            ),
            "untrue": (
                "el resultado verdadero, y una sola ejecución",
                "{text}. Tickets en el mundo: {count}",
                "una herramienta que termina bien, y un registro que no se puede escribir",
                "lo que dio la herramienta no cambia porque no se pueda anotar.",
            ),
            "not_refused": (
                "`LedgerError`, y nada ejecutado",
                "siguió adelante. Tickets en el mundo: {count}",
                "un `effects.json` que dice `{data}`",
                "un registro que no se puede leer no es un registro vacío.",
            ),
            "not_raised": (
                "`LedgerError`, y nada ejecutado",
                "nada ejecutado, pero tu función devolvió un valor en lugar de lanzar el error",
                "un `effects.json` que dice `{data}`",
                "eso no lo puede arreglar el modelo: tiene que saberlo quien llamó a tu función.",
            ),
            "ran_first": (
                "nada ejecutado",
                "se negó, y el ticket ya estaba abierto",
                "un `effects.json` que dice `{data}`",
                "mira qué va primero en tu bucle.",
            ),
            "touched": (
                "el archivo como estaba",
                "otro contenido, o ningún archivo",
                "un `effects.json` que dice `{data}`",
                "es la única prueba de lo que ocurrió, y alguien tiene que poder repararla.",
            ),
            "not_each_once": (
                "dos herramientas ejecutadas, una vez cada una",
                "ejecuciones: {count}",
                "dos llamadas distintas en un mismo `content`",
                "mira qué pasa la primera vez que llega una llamada.",
            ),
            "new_begins": (
                "que el proceso nuevo ejecute las dos: dos tickets",
                "{count} en el mundo; el modelo leyó {text}",
                "la caída cuando la primera herramienta iba a empezar",
                "en ese momento no había ocurrido nada. ¿Qué decía ya tu registro?",
            ),
            "new_between": (
                "que el proceso nuevo reutilice la primera y ejecute la segunda: dos tickets",
                "{count} en el mundo; el modelo leyó {text}",
                "la caída cuando la segunda herramienta iba a empezar",
                "¿qué hay en disco en ese instante de la primera llamada?",
            ),
            "new_ended": (
                "que el proceso nuevo reutilice las dos: dos tickets",
                "{count} en el mundo; el modelo leyó {text}",
                "la caída después de las dos herramientas, antes de B",
                "lo que tu función recuerda tiene que estar en un archivo.",
            ),
            "torn": (
                "un `effects.json` entero, el de antes o el nuevo, en cualquier instante",
                "uno que no se puede leer",
                "la caída al anotar, justo después de este paso sobre `{name}`: {step}",
                "es la escritura de la lección 2: el archivo nuevo se prepara aparte. `save_effect` ya lo hace.",
            ),
        },
        "moments": {
            "two": "dos llamadas con los mismos datos en un mismo `content`",
            "first": "la primera vez, con el registro vacío",
            "replay": "las mismas llamadas, otra vez",
            "other": "una llamada con otro id y los mismos datos",
            "other_data": "una llamada cuyo id está anotado con otros datos",
            "empty": "una herramienta que devuelve algo vacío",
            "failed": "una llamada que falla, y otra detrás",
            "recovers": "la llamada que falló, otra vez, con la herramienta ya arreglada",
            "unwritable": "una herramienta que termina bien, con una carpeta en el lugar de `effects.json`",
            "full": "una herramienta que termina bien, con el disco lleno al anotar",
            "unreadable": "un `effects.json` que dice `{data}`",
            "writes": "dos llamadas, mirando el disco en cada instante",
            "begins": "un proceso nuevo, después de una caída cuando la primera herramienta iba a empezar",
            "between": "un proceso nuevo, después de una caída entre las dos herramientas",
            "ended": "un proceso nuevo, después de una caída antes de B",
        },
        "model": {
            "warned": "El `except` deja una línea donde la lee quien está de guardia, con el id de la llamada y "
            "el motivo: si el proceso muere antes de B, al reanudar esa llamada se ejecuta otra vez. Un `except` "
            "que calla lo esconde. Al modelo no le sirve: su llamada terminó bien.",
        },
    },
}
