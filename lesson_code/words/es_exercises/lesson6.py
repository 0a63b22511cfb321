"""The exercises of lesson 6 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "6.1": {
        "title": "Simulacro en papel",
        "criteria": {
            "at_a": "en ① dices qué tiene `checkpoint.json`, si la llamada está en `effects.json` y en qué rama "
            "cae la reanudación con cada tipo de herramienta, y coincides con la corrida",
            "at_tool": "en ② dices lo mismo, y coincides con la corrida",
            "same": "dices si ① y ② se distinguen por los dos archivos, en cuál de ellos el reporte ya está "
            "escrito y si la reanudación hace lo mismo, y coincides con la corrida",
            "lesson": "explicas qué te enseña esa comparación: qué no puede saber el código, qué recibe por eso "
            "una herramienta con efectos secundarios aunque ya haya hecho su trabajo, y por qué se anota en el "
            "instante del éxito",
            "at_b": "en ③ dices qué tienen los dos archivos, y coincides con la corrida",
            "nothing_to_do": "dices qué hace la reanudación desde ③, y después de qué caídas tiene que guardar "
            "el B que faltaba, y coincides con la corrida",
        },
        "hints": [
            "Para cada momento pregúntate qué escritura fue la última que terminó.",
            "Recorre el turno paso a paso: A, la herramienta, la anotación, B. Cada paso cambia una cosa: un "
            "archivo, el otro o el mundo. ¿Qué pasos hay entre una caída y la que sigue?",
            "Quien reanuda lee los dos archivos y nada más. Con lo que encuentra ahí, baja por la tabla de las "
            "tres ramas y se queda en la primera que le sirve.",
        ],
        "fields": {
            "checkpoint_1": "en ①, ¿qué tiene `checkpoint.json`?",
            "noted_1": "en ①, ¿está la llamada en `effects.json`?",
            "read_only_1": "al reanudar desde ①, con una herramienta de solo lectura",
            "effects_1": "al reanudar desde ①, con una de efectos secundarios",
            "checkpoint_2": "en ②, ¿qué tiene `checkpoint.json`?",
            "noted_2": "en ②, ¿está la llamada en `effects.json`?",
            "read_only_2": "al reanudar desde ②, con una herramienta de solo lectura",
            "effects_2": "al reanudar desde ②, con una de efectos secundarios",
            "checkpoint_3": "en ③, ¿qué tiene `checkpoint.json`?",
            "noted_3": "en ③, ¿está la llamada en `effects.json`?",
            "read_only_3": "al reanudar desde ③, con una herramienta de solo lectura",
            "effects_3": "al reanudar desde ③, con una de efectos secundarios",
            "same_files": "con `write_report`, ¿dicen lo mismo los dos archivos en ① y en ②?",
            "written": "¿en cuál de esas dos caídas está escrito el reporte?",
            "same_way": "con `write_report`, ¿la reanudación hace lo mismo desde ① y desde ②?",
            "fills": "¿desde cuáles guarda la reanudación, antes de preguntar, el B que faltaba?",
        },
        "options": {
            "open": "la llamada está en `pendingToolUse`, y su resultado no está",
            "closed": "`pendingToolUse` es `null`, y el resultado está en `messages`",
            "stale": "la llamada está en `pendingToolUse`, y el resultado en `messages`",
            "forgotten": "`pendingToolUse` es `null`, y el resultado no está",
            "yes": "sí",
            "no": "no",
            "reuse": "acierto en el registro: reutiliza el resultado anotado",
            "again": "fallo en el registro: la ejecuta otra vez",
            "unknown": "fallo en el registro: responde con `is_error` que no se sabe",
            "nothing": "no hay nada que conciliar: le pregunta enseguida al modelo",
            "neither": "en las dos no",
            "first": "en ① sí, en ② no",
            "second": "en ① no, en ② sí",
            "both": "en las dos sí",
            "none": "desde ninguna",
            "first_two": "desde ① y desde ②",
            "last": "desde ③",
            "all": "desde las tres",
        },
        "why": {
            "checkpoint_1": "en ①, ¿qué guardó A, y qué no existía todavía?",
            "noted_1": "en ①, ¿había algo que anotar?",
            "read_only_1": "desde ① y de solo lectura: mira si está anotada, y qué le hace al mundo leer dos veces.",
            "effects_1": "desde ① y con efectos: mira si está anotada. ¿Sabe el código si ocurrió?",
            "checkpoint_2": "en ②, ¿cuál fue la última vez que alguien escribió `checkpoint.json`?",
            "noted_2": "en ②, ¿qué paso viene después de que la herramienta termina?",
            "read_only_2": "desde ② y de solo lectura: parte de lo que dicen los archivos, y no de lo que pasó.",
            "effects_2": "desde ② y con efectos: parte de lo que dicen los archivos, y no de lo que pasó.",
            "checkpoint_3": "en ③, ¿qué dos cosas cambia B antes de guardar?",
            "noted_3": "en ③, ¿la anotación llega antes o después de B?",
            "read_only_3": "desde ③, ¿qué mira `reconcile` antes que nada?",
            "effects_3": "desde ③, ¿llega `reconcile` a mirar qué herramienta era?",
            "same_files": "para comparar ① y ②: ¿quién escribe en esos archivos mientras la herramienta trabaja?",
            "written": "del reporte: es un archivo del mundo. ¿Quién lo escribe, y cuándo?",
            "same_way": "de las dos reanudaciones: ¿qué puede leer una que no pueda leer la otra?",
            "fills": "de los B: ¿en cuáles de las tres caídas ya estaba guardado?",
        },
        "model": {
            "lesson": "En ② la herramienta ya terminó, y los dos archivos son los de ①: el código no puede "
            "distinguirlos. Por eso una herramienta con efectos secundarios recibe `is_error` en las dos, "
            "también en ②, donde el reporte está escrito y había un resultado que nadie guardó. El arnés no "
            "puede cerrar ese hueco, pero sí hacer que dure poco: por eso se anota en el instante del éxito y no "
            "se espera a B. A una de solo lectura no le pasa nada: repetirla deja el mundo igual.",
        },
    },
    "6.2": {
        "title": "Una herramienta que figura como hecha",
        "criteria": {
            "filler": "señalas que se anota antes de ejecutar, cuando todavía no hay resultado, y que por eso lo "
            "anotado es un relleno",
            "consequence": "explicas la consecuencia: si la caída llega después de anotar y antes de que la "
            "herramienta termine, `reconcile` toma el relleno por un acierto, da por hecha una llamada que nunca "
            "ocurrió y responde con ese relleno para cumplir con la API, en vez de decir que no se ejecutó",
            "before": "tu versión no anota nada antes de que la herramienta termine bien: ni cuando empieza, ni "
            "cuando falla",
            "result": "lo que anota es el resultado verdadero, el mismo que lee el modelo, y `reconcile` lo toma "
            "por un acierto",
            "each": "con dos llamadas, la primera queda anotada antes de que empiece la segunda: ejecutar, "
            "anotar, agregar, y ese orden no se puede invertir",
            "told": "`reproduce` distingue con la misma caída: `True` si el id quedó en `effects.json`, como con "
            "el orden de producción, y `False` si no, como con el tuyo; usa una carpeta propia y no deja nada "
            "cambiado",
        },
        "hints": [
            "¿Qué se puede anotar de una llamada que todavía no empezó? Eso es lo que `reconcile` va a creer.",
            "La línea que sigue a la anotación es la que llama a la herramienta. Una herramienta que muere en "
            "vez de trabajar muere exactamente entre las dos.",
            "Esa muerte no puede ser un error corriente: un `except Exception` la taparía. Usa la de la sección 3.",
            "En el bucle, por cada llamada: ejecuta y quédate con el texto, anota ese texto, agrega el "
            "`tool_result`. En `reproduce`: atrapa la muerte y después mira en el registro si está el id de tu "
            "llamada.",
        ],
        "faults": {
            "noted_first": (
                "nada anotado cuando la herramienta empieza",
                "la llamada ya estaba en el registro, con `{filler}` como resultado",
                "una llamada a `write_report`, mirada en el instante en que empieza",
                "¿de dónde salió ese resultado, si la herramienta no había trabajado?",
            ),
            "failed_noted": (
                "nada anotado: la herramienta falló",
                "la llamada quedó en el registro",
                "una llamada a `write_report` que lanza un error",
                "se anota lo que terminó bien. Otra vez puede salir mejor.",
            ),
            "failed_told_fine": (
                "que salga la excepción, o un `tool_result` con `is_error`",
                "un `tool_result` sin `is_error`",
                "una llamada a `write_report` que lanza un error",
                "si atrapas el error, el modelo tiene que leer que es un error.",
            ),
            "not_each_once": (
                "una ejecución por llamada: {wanted}",
                "{got}",
                "una llamada, y después dos",
                "cuenta cuántas veces llamas a `run`.",
            ),
            "untrue": (
                "que el modelo lea lo que devolvió la herramienta: «{wanted}»",
                "leyó «{got}»",
                "una llamada a `{name}`",
                "mira qué texto pones en el `tool_result`.",
            ),
            "not_noted": (
                "una anotación bajo el id de la llamada, `{wanted}`",
                "en el registro hay: {got}",
                "una llamada que terminó bien",
                "`save_effect` recibe primero el id: con él se busca después.",
            ),
            "no_hit": (
                "una anotación que `reconcile` tome por un acierto",
                "no la reconoció: {entry}",
                "una llamada a `{name}` que terminó bien, y después una caída antes de B",
                "una anotación vale si coinciden el id, el nombre y los datos.",
            ),
            "other_noted": (
                "que quien reanude lea lo que devolvió la herramienta: «{wanted}»",
                "leyó «{got}», que es lo anotado",
                "una llamada a `{name}` que terminó bien, y después una caída antes de B",
                "¿qué texto lleva tu anotación, y qué texto lleva tu `tool_result`?",
            ),
            "late": (
                "la primera llamada anotada cuando empieza la segunda",
                "lo anotado en ese instante era: {got}",
                "dos llamadas a `write_report`",
                "si el proceso muere en la segunda, ¿quién sabe que la primera ocurrió?",
            ),
            "one_missing": (
                "las dos llamadas anotadas al terminar",
                "falta `{wanted}`",
                "dos llamadas a `write_report`, con los mismos datos",
                "son dos llamadas, aunque pidan lo mismo.",
            ),
            "no_bool": (
                "`True` o `False`",
                "algo de tipo `{kind}`",
                "`reproduce` con {what}",
                "una pregunta con `in`, por ejemplo, da una de las dos cosas.",
            ),
            "missed": (
                "`True`: la llamada quedó anotada y nadie la ejecutó",
                "`False`",
                "`reproduce` con {what}",
                "¿llega tu caída después de anotar? ¿Puede taparla alguien que atrapa errores? ¿Miras el id de "
                "tu llamada?",
            ),
            "accused": (
                "`False`: de esa llamada no quedó nada anotado",
                "`True`",
                "`reproduce` con {what}",
                "¿muere de verdad tu herramienta antes de trabajar? ¿Está vacía tu carpeta al empezar? ¿Miras el "
                "id de tu llamada, o algo parecido?",
            ),
            "left_behind": (
                "que no quede nada en la carpeta de trabajo",
                "quedó: {names}",
                "`reproduce` con todas, una tras otra",
                "`new_folder()` da una carpeta que se borra sola.",
            ),
            "left_set": (
                "la carpeta de trabajo y las variables de entorno como estaban",
                "algo cambió",
                "`reproduce` con todas, una tras otra",
                "lo que cambies para tu prueba, déjalo como estaba.",
            ),
            "left_unreadable": (
                "un registro que `load_effects` pueda leer",
                "uno que rechaza",
                "mirar el registro mientras corre tu función, o al terminar",
                "cada anotación tiene la forma que espera `save_effect`.",
            ),
            "no_list": (
                "una lista de `tool_result`",
                "algo de tipo `{kind}`",
                "una llamada",
                "mira qué devuelve tu función al final.",
            ),
            "how_many": (
                "un `tool_result` por llamada: {wanted}",
                "{got}",
                "una llamada, y después dos",
                "mira dónde están el `append` y el `return`.",
            ),
            "none": (
                "un `tool_result` por cada llamada",
                "un `None` dentro de la lista",
                "una llamada a `{name}`",
                "mira qué agregas a la lista.",
            ),
            "shape": (
                "bloques `tool_result`: diccionarios con su `type`",
                "algo de tipo `{kind}`",
                "una llamada a `{name}`",
                "mira qué devuelve `tool_result`.",
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
                "`tool_result` lo pone, cuando hace falta, con la forma que pide la API.",
            ),
            "content": (
                "un `content` que la API acepte y que se pueda guardar: un texto",
                "un `content` de tipo `{kind}`",
                "una llamada a `{name}`",
                "lo que devuelve una herramienta puede no ser texto: conviértelo.",
            ),
        },
        "moments": {
            "one": "con una llamada",
            "two": "con dos llamadas a `write_report`",
            "fails": "con una llamada a `write_report` que lanza un error",
            "reproduces": "al probar `reproduce` con {what}",
        },
        "model": {
            "filler": "`save_effect` está antes de `tools[…].run(…)`. En ese punto la herramienta no trabajó y "
            "no hay ningún resultado que anotar: se anota `None`, un relleno. Sin caídas no se ve, porque lo que "
            "se le da al modelo sí es el resultado.",
            "consequence": "El proceso muere entre las dos líneas. En disco están A y la anotación; el archivo "
            "no existe. Al reanudar, `reconcile` encuentra el id, el nombre y los datos que busca, lo toma por "
            "un acierto, no ejecuta nada y le da al modelo el relleno como si fuera el resultado. La API lo "
            "acepta, porque la llamada tiene su `tool_result`, y la tarea termina «completa». Lo verdadero era "
            "que no se sabe, y nadie lo dice.",
        },
    },
    "6.3": {
        "title": "Un punto de control sin A",
        "criteria": {
            "lost": "devuelve el id de la escritura perdida, y una lista vacía si `effects` es `None`",
            "anywhere": "acierta aunque la anotación perdida no sea la última, o haya varias: las da todas, en "
            "el orden del registro",
            "known": "no acusa a una llamada colgante que está en `pendingToolUse`, ni a una herramienta que "
            "falló, que está en `messages` y no en el registro",
            "again": "explicas que al reanudar el modelo pide otra vez, con un id nuevo, y que el registro no lo "
            "reconoce: el efecto se repite",
            "limit": "dices qué no puede probar: una caída antes de anotar no deja rastro en ninguno de los dos "
            "archivos, y una lista vacía no quiere decir que no se perdió nada",
        },
        "hints": [
            "Un punto de control conoce una llamada por dos caminos: porque alguien la pidió en `messages` o "
            "porque está colgante.",
            "Recorre el registro, y no `messages`: la lista sale de ahí, con su orden. De cada id pregunta si el "
            "punto de control lo conoce.",
            "El contenido de un mensaje es una lista de bloques o un texto, y `tool_uses` recibe los dos. Y "
            "puede no haber registro, ni llamada colgante.",
        ],
        "faults": {
            "one": (
                "la llamada que se anotó y no está en el punto de control: {wanted}",
                "{got}",
                "un arnés sin A que muere en ★ del turno 3",
                "compara los ids del registro con los que pidió alguien en `messages`.",
            ),
            "no_ledger": (
                "una lista vacía",
                "{got}",
                "la primera caída en ① de un arnés con A: todavía no hay registro",
                "si no hay nada anotado, no hay nada que se haya perdido.",
            ),
            "middle": (
                "la que se perdió, aunque después vinieran otras: {wanted}",
                "{got}",
                "un arnés sin A que muere en ★ del turno 2, reanuda, pide otra vez y muere en ③ del turno 3",
                "mira todas las anotaciones, y de cada una el id.",
            ),
            "several": (
                "todas las perdidas: {wanted}",
                "{got}",
                "un arnés sin A que muere dos veces en ★ del turno 2 y después en ★ del turno 3",
                "no te detengas en la primera.",
            ),
            "backwards": (
                "todas las perdidas, en el orden en que están anotadas: {wanted}",
                "{got}",
                "el mismo registro, con sus anotaciones en el orden contrario",
                "¿de dónde sale el orden de tu lista?",
            ),
            "pending": (
                "nada: esa llamada está colgante, y conciliarla es otra cosa",
                "{got}",
                "un arnés con A y B que muere en ★ del turno 3",
                "una llamada sin resultado no está perdida si el punto de control la nombra.",
            ),
            "elsewhere": (
                "nada: esa llamada está colgante",
                "{got}",
                "un arnés que guarda A antes de agregar el mensaje del modelo, y muere en ★ del turno 3",
                "son dos caminos por los que un punto de control conoce una llamada. ¿Miras los dos?",
            ),
            "not_noted": (
                "nada: no hay anotación sin llamada",
                "{got}",
                "un arnés con A y B que muere en ② del turno 3",
                "una llamada sin anotación no se perdió: busca en la otra dirección.",
            ),
            "failed": (
                "nada: la herramienta falló, y por eso no está anotada",
                "{got}",
                "un arnés con A y B, con una herramienta que falla en el turno 3, que muere en ③",
                "busca anotaciones sin llamada, y no llamadas sin anotación.",
            ),
            "ended": (
                "nada: terminó bien",
                "{got}",
                "una tarea terminada",
                "compara los ids del registro con los que pidió alguien en `messages`.",
            ),
            "kind": (
                "una lista",
                "algo de tipo `{kind}`",
                "los dos archivos de una caída",
                "mira qué devuelve tu función en cada camino.",
            ),
            "spoiled": (
                "el punto de control y el registro como los recibiste",
                "algo cambió en ellos",
                "los dos archivos de una caída",
                "arma una lista nueva en vez de quitar de la que te dieron.",
            ),
        },
        "moments": {
            "one": "con los archivos de un arnés sin A que muere en ★ del turno 3",
            "no_ledger": "con la primera caída en ①, cuando todavía no hay registro",
            "middle": "con una llamada perdida en medio del registro",
            "several": "con tres llamadas perdidas",
            "backwards": "con tres llamadas perdidas y el registro en el orden contrario",
            "pending": "con una llamada colgante y anotada",
            "elsewhere": "con una llamada colgante cuyo mensaje no se guardó",
            "not_noted": "con una llamada colgante y sin anotar",
            "failed": "con una herramienta que falló",
            "ended": "con una tarea terminada",
        },
        "model": {
            "again": "El punto de control termina antes de esa llamada, así que el modelo la pide otra vez. La "
            "API le da un id nuevo, y con ese id no hay ninguna anotación: se ejecuta. "
            '`dead.world.times("write_report")` da 1, y después de reanudar, 2. Al modelo nadie le cuenta la '
            "primera.",
            "limit": "Con la caída en `after-tool:3` devuelve una lista vacía, y el mundo dice que el reporte se "
            "escribió: el efecto ocurrió y no llegó a anotarse. Una lista vacía dice que no hay anotaciones sin "
            "llamada. Que no se haya perdido nada no lo dice ningún archivo: sin A, esa llamada no dejó rastro.",
        },
    },
    "6.4": {
        "title": "Tu arnés, soldado",
        "criteria": {
            "alone": "sin caídas hace la tarea, y el punto de control final es igual, campo por campo, al de "
            "`run_agent`",
            "disk": "en los cuatro momentos del turno 3 y del turno 1, los dos archivos tienen lo que muestra "
            "`drill`: la llamada colgante en ①, ② y ★, y anotada en ★ y ③",
            "whole": "en cualquier instante en que muera el proceso, los dos archivos se pueden leer: está el "
            "viejo o el nuevo, entero",
            "once": "después de cada una de esas ocho caídas la tarea termina, y el reporte se escribió una vez",
            "same": "en ★, en ③ y en las cuatro del turno 1, el punto de control final es igual, campo por "
            "campo, al de la corrida sin caídas",
            "branches": "`my_reconcile` toma la rama que toca y la dice con `emit`, también cuando la llama "
            "`my_run_agent`; con un registro ilegible lanza `LedgerError`",
            "ended": "una segunda reanudación después del final da la misma respuesta y no hace ninguna solicitud",
            "twice": "las dos llamadas de `asks_twice` ocurren las dos, con caída en `after-effect-write:2` y "
            "sin caída: mismos datos, distinto id",
            "failures": "el error de `broken_tools` llega al modelo con `is_error`, el bucle sigue y la tarea "
            "termina; con caída en `after-save-b:2`, el punto de control final es igual al de esa misma tarea "
            "sin caída. Y si lo que falla es anotar, el modelo lee el resultado verdadero",
            "hasty": "con `ScriptedModel(hasty=True)` el reporte se escribe dos veces en ②, y una en ★ y en ③",
            "attack": "el ataque rápido se sostiene, también en un proceso que no recuerda nada del anterior",
        },
        "hints": [
            "Si una fila de `drill` sale distinta, mira qué escritura fue la última que terminó en ese momento y "
            "compárala con la de `take_turn`.",
            "Un turno: el mensaje del modelo, `turns`, A, la herramienta, B. Una reanudación: leer, conciliar y, "
            "si había algo colgante, el B que faltaba; después, el mismo bucle.",
            "En `my_reconcile` pregunta en este orden: ¿está anotada esta misma llamada?, ¿existe la "
            "herramienta, y solo lee? Lo que no cae en ninguna de las dos es lo que nadie sabe.",
            "Para leer otra vez, `run_tool_uses` quiere una lista con un bloque como los del modelo: los tres "
            "campos de la llamada colgante, más `type`. Para B sirve `save_b(scene, results, folder)`, con una "
            "lista de resultados.",
        ],
        "faults": {
            "no_answer": (
                "la respuesta del modelo, un texto",
                "algo de tipo `{kind}`",
                "la tarea, sin caídas o reanudada",
                "mira qué devuelve `my_run_agent` al salir del bucle.",
            ),
            "unreadable": (
                "dos archivos que se puedan leer",
                "{reason}",
                "mirar la carpeta después de la tarea, o en una de sus caídas",
                "compara lo que guardas con lo que guardan `save_checkpoint` y `save_effect`.",
            ),
            "unmarked": (
                "que la corrida pase por `{label}`",
                "nadie llamó a `crash_point` con esa etiqueta",
                "la tarea, de principio a fin",
                "dos momentos los marcas tú y dos los marca `run_tool_uses`, si le das el turno y el `crash_point`.",
            ),
            "stopped_alone": (
                "que la tarea termine",
                "se detuvo: {reason}",
                "la tarea, sin ninguna caída",
                "mira en qué orden quedan los mensajes, y que cada llamada tenga su resultado en el que sigue.",
            ),
            "stopped": (
                "que la tarea termine",
                "se detuvo: {reason}",
                "la caída en {moment} del turno {turn}, y después reanudar",
                "mira qué hay en `messages` cuando reanudas y vuelves a preguntar.",
            ),
            "alone_differs": (
                "`{field}` como lo deja `run_agent`: {wanted}",
                "{got}",
                "la tarea, sin ninguna caída",
                "compara con `take_turn` y con `run_agent` qué se cuenta y qué se guarda, también al final.",
            ),
            "not_pending": (
                "`{name}` como llamada colgante en `checkpoint.json`",
                "no está",
                "la caída en {moment} del turno {turn}",
                "¿qué guardado tiene que haber terminado antes de que la herramienta empiece?",
            ),
            "not_pushed": (
                "el mensaje del modelo que pide `{name}`, al final de `messages`",
                "no está, y la llamada colgante sí",
                "la caída en {moment} del turno {turn}",
                "mira qué tiene `messages` en el instante en que guardas A.",
            ),
            "not_closed": (
                "nada colgante, y el resultado de `{name}` en `messages`",
                "otra cosa",
                "la caída en {moment} del turno {turn}",
                "¿qué cambia B, y cuándo llega al disco?",
            ),
            "not_noted": (
                "`{name}` en el registro",
                "no está",
                "la caída en {moment} del turno {turn}",
                "¿quién anota en tu bucle, y cuándo?",
            ),
            "noted_early": (
                "el registro sin `{name}`",
                "ya está anotada",
                "la caída en {moment} del turno {turn}",
                "¿qué se puede anotar antes de tener el resultado?",
            ),
            "torn": (
                "que `{name}` se pueda leer en todo instante",
                "{reason}",
                "una muerte mientras se escribe ese archivo",
                "escribir encima, o borrar antes, tiene un instante en que no queda ni lo viejo ni lo nuevo "
                "(lección 2).",
            ),
            "times": (
                "el reporte escrito una vez",
                "{count} veces",
                "la caída en {moment} del turno {turn}, y después reanudar",
                "mira qué recibe el modelo por la llamada colgante, y qué sabe tu función en ese momento.",
            ),
            "differs": (
                "`{field}` como en la corrida sin caídas: {wanted}",
                "{got}",
                "la caída en {moment} del turno {turn}, y después reanudar",
                "aquí el modelo no tendría que enterarse de la caída. Mira qué resultado recibe, y de dónde "
                "siguen los contadores.",
            ),
            "invented": (
                "ningún `tool_result`: no hay nada colgante",
                "un resultado",
                "`my_reconcile` en ③",
                "¿qué mira tu función antes que nada?",
            ),
            "hit": (
                "el resultado anotado, sin ejecutar nada",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ★ del turno 3",
                "si está anotada, el resultado ya lo tienes.",
            ),
            "hit_reading": (
                "el resultado anotado, sin ejecutar nada",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ★ del turno 1, con una herramienta de solo lectura",
                "la primera pregunta es si está anotada, y da igual qué herramienta es.",
            ),
            "hit_empty": (
                "el resultado anotado, que es un texto vacío",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` con una anotación cuyo resultado está vacío",
                "que haya anotación y que su resultado tenga algo escrito son dos cosas distintas.",
            ),
            "rerun": (
                "que la herramienta se ejecute otra vez, y su resultado",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 1, con una herramienta de solo lectura",
                "leer otra vez no le hace nada al mundo: pregúntale a la herramienta si solo lee.",
            ),
            "unknown": (
                "`is_error`, sin ejecutar nada: nadie sabe si ocurrió",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 3, con una herramienta de efectos secundarios",
                "¿puede tu función saber si ya ocurrió?",
            ),
            "other_input": (
                "`is_error`: lo anotado es otra llamada",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 3, con ese id anotado con otros datos",
                "una anotación vale si coinciden el id, el nombre y los datos.",
            ),
            "under_other_id": (
                "`is_error`: lo anotado es otra llamada",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 3, con los mismos datos anotados bajo otro id",
                "dos llamadas pueden pedir lo mismo. ¿Qué las distingue?",
            ),
            "gone": (
                "`is_error`: esa herramienta ya no existe",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 1, sin esa herramienta en `tools`",
                "mira si el nombre está en `tools` antes de usarlo.",
            ),
            "fails": (
                "`is_error`: la herramienta de solo lectura falló al ejecutarla otra vez",
                "«{text}», con `is_error` {is_error}; se ejecutó: {ran}",
                "`my_reconcile` en ② del turno 1, con una lectura que lanza un error",
                "lo que pasa con una herramienta que falla en el bucle tiene que pasar también aquí.",
            ),
            "silent": (
                "`emit` con `{wanted}`, una vez",
                "de las tres ramas se oyó: {got}",
                "`my_reconcile` en {moment} del turno {turn}, con `{name}`",
                "cada rama dice cuál es, con el id y el nombre de la llamada.",
            ),
            "resume_silent": (
                "al reanudar, `emit` con `{wanted}`, una vez",
                "de las tres ramas se oyó: {got}",
                "`my_run_agent` reanudado desde {moment} del turno {turn}",
                "¿le pasas a `my_reconcile` el `emit` que recibiste?",
            ),
            "resume_spoke": (
                "que ninguna rama diga nada: no hay nada colgante",
                "se oyó: {got}",
                "`my_run_agent` reanudado desde {moment} del turno {turn}",
                "¿qué había en disco en ese momento? ¿Quedaba algo que conciliar?",
            ),
            "ledger_ignored": (
                "`LedgerError`, sin ejecutar nada",
                "{text}",
                "`my_reconcile` en ② del turno 3, con un registro que no se puede leer",
                "un registro ilegible no es un registro vacío: no atrapes lo que lanza `load_effects`.",
            ),
            "ended_stops": (
                "la respuesta guardada",
                "se detuvo: {reason}",
                "reanudar una tarea terminada",
                "¿qué encuentra la reanudación, si el final también se guardó?",
            ),
            "asks_again": (
                "la misma respuesta, sin ninguna solicitud",
                "solicitudes: {count}; la última línea: {got}",
                "reanudar una tarea terminada",
                "¿guardas también el último mensaje del modelo?",
            ),
            "twice_alone": (
                "las dos escrituras",
                "{count}",
                "un modelo que pide dos veces lo mismo, sin caídas",
                "son dos llamadas: tienen distinto id.",
            ),
            "twice": (
                "las dos escrituras",
                "{count}",
                "un modelo que pide dos veces lo mismo, con la caída en ★ del turno 2",
                "la segunda ya estaba anotada con su id, y la primera con el suyo.",
            ),
            "failure_hidden": (
                "el error de la herramienta, con `is_error`",
                "el modelo leyó «{text}»",
                "una herramienta que lanza un error en el turno 2",
                "`run_tool_uses` convierte el error en un resultado. ¿Llega a `messages` como vino?",
            ),
            "failure_differs": (
                "`{field}` como en la corrida sin caídas: {wanted}",
                "{got}",
                "una herramienta que falla en el turno 2, con la caída en ③",
                "el error ya estaba guardado: no hay nada que conciliar.",
            ),
            "told_failed": (
                "el resultado verdadero: «{wanted}»",
                "el modelo leyó otra cosa: «{got}»",
                "un registro en el que no se puede anotar, con el reporte ya escrito",
                "no poder anotar no es un fallo de la herramienta.",
            ),
            "hasty": (
                "el reporte escrito {wanted} veces",
                "{count}",
                "con el modelo apresurado, la caída en {moment} del turno 3, y después reanudar",
                "¿qué recibe el modelo por la llamada colgante en ese momento?",
            ),
            "attack": (
                "que se sostenga el ataque rápido",
                "{what}",
                "{again}",
                "{read}",
            ),
            "none": (
                "un `tool_result` para `{name}`, que quedó colgante",
                "la función devolvió `None`",
                "`my_reconcile` en {moment} del turno {turn}",
                "¿qué lee el modelo si nadie responde a su llamada?",
            ),
            "shape": (
                "un bloque `tool_result`: un diccionario con su `type`",
                "algo de tipo `{kind}`",
                "`my_reconcile` en {moment} del turno {turn}, con `{name}`",
                "`run_tool_uses` devuelve una lista; tu función, un resultado.",
            ),
            "other_id": (
                "el `tool_use_id` de la llamada colgante, `{wanted}`",
                "`{got}`",
                "`my_reconcile` en {moment} del turno {turn}, con `{name}`",
                "la API empareja cada resultado con su llamada por el id.",
            ),
            "flag": (
                "un `is_error` que sea verdadero o falso, o ninguno",
                "un `is_error` de tipo `{kind}`",
                "`my_reconcile` en {moment} del turno {turn}, con `{name}`",
                "`tool_result` lo pone, cuando hace falta, con la forma que pide la API.",
            ),
            "content": (
                "un `content` que la API acepte y que se pueda guardar: un texto",
                "un `content` de tipo `{kind}`",
                "`my_reconcile` en {moment} del turno {turn}, con `{name}`",
                "lo anotado puede no ser texto: pásalo por `result_text`.",
            ),
        },
        "moments": {
            "alone": "al correr la tarea sin ninguna caída",
            "resumes": "al reanudar después de la caída en {moment} del turno {turn}",
            "writes": "al mirar los archivos mientras los escribe",
            "again": "al reanudar una tarea terminada",
            "unwritable": "con un registro en el que no se puede anotar",
            "attack": "en el ataque rápido",
            "nothing": "al conciliar donde no hay nada colgante",
            "branch": "al conciliar `{name}` en {moment} del turno {turn}",
            "unreadable_ledger": "al conciliar con un registro que no se puede leer",
        },
        "model": {},
    },
}
