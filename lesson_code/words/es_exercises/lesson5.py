"""The exercises of lesson 5 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "5.1": {
        "title": "Reanudar, rebobinar, bifurcar o Git",
        "fields": {
            "tables": "La migración: ¿qué eliges?",
            "contract": "El contrato: ¿qué eliges?",
            "two_fixes": "Los dos arreglos: ¿qué eliges?",
            "config": "El archivo de configuración: ¿qué eliges?",
        },
        "options": {
            "resume": "reanudar",
            "rewind": "rebobinar",
            "fork": "bifurcar",
            "git": "Git",
        },
        "criteria": {
            "tables": "en la migración, con lo que elegiste, cada tabla queda migrada una vez y ninguna dos",
            "contract": "en el contrato, con lo que elegiste, queda una sola línea y no tiene la decisión equivocada",
            "two_fixes": "en los dos arreglos, con lo que elegiste, quedan las dos líneas y las dos empiezan igual",
            "config": "en el archivo, con lo que elegiste, `config.toml` es el de ayer y la conversación está entera",
            "why_tables": "en la migración dices si hay alguna decisión que cambiar, y desde qué punto de "
            "control se sigue",
            "why_contract": "en el contrato dices a qué turno se va, qué ya está hecho en el mundo, dónde consta "
            "y quién tiene que ocuparse",
            "why_two_fixes": "en los dos arreglos dices qué pasa con cada línea, y dónde anota cada una lo que hace",
            "why_config": "en el archivo dices qué guarda un punto de control y qué no",
        },
        "hints": [
            "Pregúntate qué quieres que cambie: ¿nada, una decisión, la cantidad de líneas o un archivo?",
            "Después imagina las otras tres: ¿qué se haría dos veces, qué línea dejaría de estar en uso, qué "
            "seguiría como hoy?",
        ],
        "why": {
            "tables": "en la migración, lo decidido está bien. Mira qué turnos habría que hacer otra vez con lo "
            "que elegiste.",
            "contract": "en el contrato, hay una decisión que no sirve, y nada de lo que salió de ella. Mira "
            "cuántas líneas quedan, y qué dicen.",
            "two_fixes": "en los dos arreglos, quieres poder elegir al final. Mira cuántas líneas quedan en uso.",
            "config": "en el archivo, la conversación te sirve entera. Mira quién sabe cómo era ayer.",
        },
        "model": {
            "why_tables": "No hay ninguna decisión que cambiar: lo hecho está bien. Se reanuda desde el último "
            "punto de control, aunque sea un A con una llamada colgante, que se concilia. Volver a un B anterior "
            "repetiría trabajo bueno, y quizá un efecto.",
            "why_contract": "Vuelvo al B del turno 8, el último antes de la decisión, y abandono lo demás. El "
            "borrador del turno 12 lo tiene el cliente y sigue anotado en el registro; volver no lo trae de "
            "vuelta: alguien tiene que avisarle.",
            "why_two_fixes": "Las dos líneas siguen vivas y salen del mismo B, cada una en su carpeta y con su "
            "registro. Rebobinar dejaría una en uso y la otra apartada.",
            "why_config": "Un punto de control guarda la escena del agente: la conversación, las cuentas y la "
            "llamada colgante. De `config.toml` no sabe nada; su contenido de ayer lo tiene el control de "
            "versiones.",
        },
    },
    "5.2": {
        "title": "De un archivo que se pisa a una secuencia",
        "criteria": {
            "sequence": "cada uno de los diez guardados deja su archivo en `checkpoints/`, con su nombre y "
            "entero, y `load_latest` lo devuelve, también en un proceso nuevo",
            "rewinds": "después de los diez guardados, `rewind_to(3, place)` devuelve el B del turno 3, y el "
            "registro sigue igual, con sus cinco anotaciones",
            "stays": "justo después de rebobinar, sin guardar nada más, `load_latest(place)` es el B de ese "
            "turno, también si rebobinas dos veces seguidas",
            "new_line": "después de guardar un turno 4 nuevo, `load_latest(place)` es ese, y no el 5 abandonado",
            "aside": "ningún rebobinado ni guardado pisa o borra lo que se abandonó: los turnos 4 de todas las "
            "líneas siguen en disco",
            "missing": "un turno sin B (uno que no existe, o uno que tiene nada más su A) lanza "
            "`CheckpointMissing` y deja todo igual, byte por byte, al rebobinar y al bifurcar; `load_latest` "
            "lanza lo mismo donde no hay ninguno",
            "order": "un archivo a medio escribir, con otro nombre, no confunde a nadie, y el turno 1000 es más "
            "nuevo que el 999",
            "frozen": "si la lista de mensajes cambia después de guardar o de leer, lo guardado no cambia",
            "death": "el proceso puede morir a la mitad: de un guardado queda el anterior o el nuevo; de un "
            "rebobinado queda algo que se puede reanudar, no se pierde nada, y rebobinar otra vez llega; una "
            "bifurcación a medias no se puede reanudar",
            "fork": "la bifurcación tiene su carpeta y su registro, con lo anotado hasta ese turno: lo que pasa "
            "en una no se ve en la otra, y si la original tiene una llamada colgante, la bifurcación no; y "
            "ninguna se hace encima de otra",
            "effects": "escribes qué efectos de la historia siguen hechos después de `rewind_to(3)`, y para qué "
            "clientes",
        },
        "hints": [
            "Empieza por una función que dé los archivos de la línea en uso en orden de turno, con el A antes "
            "que el B. Las cuatro la usan.",
            "El orden de los nombres no es el orden de los turnos. Saca el número y la letra del nombre con una "
            "expresión regular que acepte el nombre entero, y compara números.",
            "Para rebobinar: primero mira si está el B, y solo entonces aparta. Cada vez en una carpeta nueva, y "
            "del más nuevo al más viejo.",
            "Para `fork_from`, los ids que un punto de control conoce están en los bloques `tool_use` de sus "
            "mensajes; `calls_in`, de `lesson_code.harness.conversation`, los encuentra. El registro heredado "
            "son las anotaciones que tienen uno de esos ids.",
        ],
        "faults": {
            "kind": (
                "un punto de control: un diccionario",
                "algo de tipo `{kind}`",
                "lo que devuelve `{function}`",
                "mira si falta un `return`, y si lo que devuelves es el texto del archivo o lo que ese texto dice.",
            ),
            "changed": (
                "el {point} del turno {turn}, tal como se guardó",
                "uno con el mismo turno y otro contenido",
                "lo que devuelve `{function}`",
                "lo que se lee tiene que ser lo que se guardó, campo por campo.",
            ),
            "in_memory": (
                "que otro proceso lea lo mismo: el {point} del turno {turn}",
                "otra cosa",
                "`load_latest` en un proceso que acaba de empezar",
                "lo que vive en una variable muere con el proceso: todo tiene que estar en disco.",
            ),
            "names": (
                "un archivo `{name}` en `checkpoints/`",
                "{found}",
                "guardar el {point} del turno {turn}",
                "el nombre sale del turno, con tres cifras o más, y de si hay una llamada colgante.",
            ),
            "content": (
                "el punto de control entero en `{name}`, en JSON",
                "otro contenido",
                "guardar el {point} del turno {turn}",
                "guarda los seis campos, sin cambiarlos.",
            ),
            "after_save": (
                "el {point} del turno {turn}, recién guardado",
                "el {got_point} del turno {got_turn}",
                "`load_latest` justo después de guardarlo",
                "en un mismo turno, el B viene después del A.",
            ),
            "gave": (
                "que devuelva el B del turno {turn}",
                "el {got_point} del turno {got_turn}",
                "`rewind_to({turn}, …)` después de los diez guardados",
                "de cada turno hay dos archivos, y se vuelve al que no tiene nada colgante.",
            ),
            "ledger": (
                "`effects.json` igual que antes, con sus {count} anotaciones",
                "otro, o ninguno",
                "`rewind_to({turn}, …)` después de los diez guardados",
                "lo que ocurrió en el mundo no vuelve atrás, y el registro tampoco.",
            ),
            "stays": (
                "el {point} del turno {turn}",
                "el {got_point} del turno {got_turn}",
                "`load_latest` después de rebobinar, en este orden, a: {turns}",
                "quien reanude ahora tiene que seguir desde el turno al que volviste.",
            ),
            "new_line": (
                "el {point} del turno {turn} nuevo",
                "el {got_point} del turno {got_turn} de la línea abandonada",
                "rebobinar al 3 y guardar el {point} de un turno 4 nuevo",
                "¿cómo sabe `load_latest` qué archivos son de la línea en uso?",
            ),
            "lost": (
                "que lo apartado siga en disco, también el {point} del turno {turn}",
                "no está en ningún archivo",
                "rebobinar al 3; es el rebobinado número {times}, cada uno con un turno 4 nuevo antes",
                "apartar no es borrar, y lo que apartó otro rebobinado tampoco se pisa.",
            ),
            "lost_by_saving": (
                "que lo abandonado siga en disco, también el {point} del turno {turn}",
                "no está en ningún archivo",
                "guardar un turno 4 nuevo después del rebobinado número {times}",
                "el turno 4 nuevo tiene el mismo nombre que el abandonado: uno de los dos tiene que estar en "
                "otro lugar.",
            ),
            "no_error": (
                "`CheckpointMissing`",
                "no lanzó nada",
                "`{call}`, cuando lo último guardado es: {last}",
                "antes de mover o crear algo, mira si está lo que te piden.",
            ),
            "other_error": (
                "`CheckpointMissing`",
                "`{kind}`",
                "`{call}`, cuando lo último guardado es: {last}",
                "antes de mover o crear algo, mira si está lo que te piden, y dilo con esa excepción.",
            ),
            "touched": (
                "que todo quede igual, byte por byte",
                "algo cambió en la carpeta, o apareció otra",
                "`{call}`, cuando lo último guardado es: {last}",
                "quien se niega no deja huella: revisa antes de crear carpetas y de mover archivos.",
            ),
            "stray": (
                "el {point} del turno {turn}",
                "el {got_point} del turno {got_turn}",
                "`load_latest` con un archivo `{name}` en `checkpoints/`",
                "cuentan los archivos cuyo nombre entero es el de un punto de control.",
            ),
            "thousand": (
                "el {point} del turno {turn}",
                "el {got_point} del turno {got_turn}",
                "una línea que llega a los turnos 999 y 1000",
                "como texto, el nombre del 1000 va antes que el del 999.",
            ),
            "given_changed": (
                "que el punto de control que se guarda quede como estaba",
                "cambió",
                "guardar el B del turno 1",
                "quien te lo dio lo sigue usando: escribe lo que tiene, sin tocarlo.",
            ),
            "grew": (
                "que lo guardado no cambie",
                "cambió",
                "la lista de mensajes que tocó `{given}` sigue creciendo después",
                "lo que se guarda es lo que hay en ese instante, no la lista.",
            ),
            "death_unread": (
                "algo que se pueda leer",
                "`load_latest` lanzó `{kind}`",
                "una muerte dentro de `{function}`, después de su paso {step}, con el archivo `{name}`",
                "mira qué hay en la carpeta en ese instante, y qué archivo es el más nuevo.",
            ),
            "death_other": (
                "un punto de control de los que se guardaron: el de antes o el de después",
                "otra cosa",
                "una muerte dentro de `{function}`, después de su paso {step}, con el archivo `{name}`",
                "mira qué hay en la carpeta en ese instante, y qué archivo es el más nuevo.",
            ),
            "death_lost": (
                "que todo siga en disco, también el {point} del turno {turn}",
                "no está en ningún archivo",
                "una muerte dentro de `rewind_to`, después de su paso {step}, con el archivo `{name}`",
                "mientras algo se aparta, ¿en qué instante no está en ninguna parte?",
            ),
            "death_stuck": (
                "que rebobinar otra vez llegue al turno 3",
                "lanzó `{kind}`",
                "después de una muerte dentro de `rewind_to`, en su paso {step}, con el archivo `{name}`",
                "quien llega después encuentra lo que otro dejó a medias.",
            ),
            "death_again": (
                "que rebobinar otra vez llegue al turno 3",
                "otro punto de control",
                "después de una muerte dentro de `rewind_to`, en su paso {step}, con el archivo `{name}`",
                "quien llega después encuentra lo que otro dejó a medias.",
            ),
            "death_fork": (
                "que una bifurcación a medias todavía no se pueda reanudar",
                "`load_latest` la lee, y a su registro le falta algo",
                "una muerte dentro de `fork_from`, después de su paso {step}, con el archivo `{name}`",
                "¿qué archivo hace que la carpeta nueva se pueda reanudar? Ese va al final.",
            ),
            "fork_again": (
                "una excepción, y que la bifurcación que ya está quede como estaba",
                "se hizo otra encima, o algo cambió",
                "`fork_from({turn}, …)`, con el nombre de una carpeta que ya existe",
                "en esa carpeta puede haber una línea que ya corrió.",
            ),
            "fork_kind": (
                "la ruta de la carpeta nueva",
                "algo de tipo `{kind}`",
                "lo que devuelve `fork_from({turn}, …)`",
                "mira si falta un `return`.",
            ),
            "fork_elsewhere": (
                "una carpeta hermana, `{wanted}`",
                "`{got}`, en otro lugar",
                "`fork_from({turn}, …)`",
                "está al lado de la original, no adentro.",
            ),
            "fork_missing": (
                "la carpeta `{wanted}`",
                "no existe",
                "`fork_from({turn}, …)`",
                "la función la crea y la llena antes de volver.",
            ),
            "fork_latest": (
                "que la bifurcación siga desde el B del turno {turn}",
                "el {got_point} del turno {got_turn}",
                "`load_latest` en la carpeta que hizo `fork_from({turn}, …)`",
                "de la secuencia de la original hace falta uno solo.",
            ),
            "fork_ledger": (
                "en el registro de la bifurcación, lo anotado de las llamadas que ese B conoce: {wanted}",
                "{got}",
                "`fork_from({turn}, …)`",
                "la lista de lo que conoce está en sus mensajes; lo que vino después es de la otra línea.",
            ),
            "fork_ledger_unread": (
                "un registro que se pueda leer",
                "`load_effects` lo rechaza",
                "`fork_from({turn}, …)`",
                "es un objeto con una anotación por cada id, como el original.",
            ),
            "fork_touches": (
                "que la carpeta original quede igual",
                "algo cambió",
                "`fork_from({turn}, …)`",
                "bifurcar mira la original, y escribe en la nueva.",
            ),
            "fork_follows": (
                "que `{other}` no se entere",
                "su punto de control más nuevo es otro",
                "guardar el {point} de un turno 5 en `{where}`",
                "cada carpeta tiene sus propios archivos.",
            ),
        },
        "moments": {
            "save": "al guardar el {point} del turno {turn}",
            "latest": "al pedir el más nuevo con `load_latest`",
            "latest_beside": "al pedir el más nuevo con `load_latest`, con un archivo a medio escribir, "
            "`{name}`, en `checkpoints/`",
            "rewind": "al rebobinar al turno {turn}",
            "fork": "al bifurcar desde el turno {turn}",
        },
        "model": {
            "effects": "Los cinco correos. A Ana, Luis y Eva les llegó el 10 %, y la línea nueva lo sabe. A Raúl "
            "y a Sol les llegó el 50 % de los turnos 4 y 5 abandonados: sus dos envíos siguen anotados y la "
            "línea nueva no los conoce. Alguien tiene que escribirles.",
        },
    },
}
