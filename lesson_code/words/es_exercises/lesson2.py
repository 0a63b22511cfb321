"""The exercises of lesson 2 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "2.1": {
        "title": "Un punto de control con un solo campo",
        "criteria": {
            "names": "entre las cinco letras nombras los cinco campos que faltan, cada uno donde dice en qué se "
            "tropieza sin él",
            "shown": "dices qué línea muestra cada tropiezo, y cuál de los cinco no muestra ninguna",
            "why_a": "del campo de la **a** explicas qué no puede juzgar quien lee el archivo, y qué no podrá "
            "hacer el día que el formato cambie",
            "why_b": "del campo de la **b** explicas qué no sabe el arnés de esa escena, y qué no puede decirle "
            "al usuario",
            "why_c": "del campo de la **c** explicas dónde empieza la cuenta después de reanudar, y de qué "
            "maneras puede fallar un tope",
            "why_d": "del campo de la **d** explicas qué se juzga mal sin él, y por qué volver a estimarlo no lo "
            "repara",
            "why_e": "del campo de la **e** explicas en qué tramo del turno tiene que caer el proceso para que "
            "haga falta, qué queda entonces, y qué no se va a poder hacer",
        },
        "hints": [
            "Pregúntate quién lee cada campo: la persona que mira, el bucle, quien decide compactar, o quien va "
            "a conciliar. Un campo que hoy no lee nadie puede hacer falta mañana.",
            "Dos letras hablan de una cuenta. Una cuenta vueltas del bucle; la otra, lo que cobra la API. Cada "
            "una tiene su tope.",
            "Para las líneas, compara lo que «cree» con la verdad, y lo que «pasó» con el tope que se le dio, si "
            "tiene uno. Un tropiezo puede verse en varias líneas: elige cualquiera de ellas.",
        ],
        "fields": {
            "a": "**a.** Hoy no tropieza; cuando el formato cambie, leerá mal sin avisar. ¿Sin qué campo?",
            "a_shown": "**a.** ¿Qué línea lo muestra?",
            "b": "**b.** No puede decir qué está reanudando, ni notar que el archivo es de otra tarea. ¿Sin qué campo?",
            "b_shown": "**b.** ¿Qué línea lo muestra?",
            "c": "**c.** La cuenta de vueltas empezó otra vez, y su tope salta cuando no debe o no salta. ¿Sin "
            "qué campo?",
            "c_shown": "**c.** ¿Qué línea lo muestra?",
            "d": "**d.** Lo ya pagado desaparece: se pasa del presupuesto, y compacta tarde. ¿Sin qué campo?",
            "d_shown": "**d.** ¿Qué línea lo muestra?",
            "e": "**e.** Cree que no quedó nada a medias, y choca con la API. ¿Sin qué campo?",
            "e_shown": "**e.** ¿Qué línea lo muestra?",
        },
        "options": {
            "version": "`version`",
            "task": "`task`",
            "turns": "`turns`",
            "tokensUsed": "`tokensUsed`",
            "messages": "`messages`",
            "pendingToolUse": "`pendingToolUse`",
            "plain": "la 1: muere en el B del turno 2, sin topes",
            "turns_limit": "la 2: muere en el B del turno 2, con un máximo de 2 turnos",
            "budget": "la 3: muere en el B del turno 2, con un presupuesto de 600",
            "between": "la 4: muere en el A del turno 3",
            "none": "ninguna",
        },
        "why": {
            "a": "en la **a**, ¿qué le dice a quien lee que entiende, o no, lo que hay escrito?",
            "b": "en la **b**, ¿qué querrías leer en la pantalla antes de reanudar un archivo que no escribiste tú?",
            "c": "en la **c**, ¿qué cuenta sube en uno cada vez que una herramienta responde?",
            "d": "en la **d**, ¿qué cuenta crece con cada respuesta del modelo, y llega a la factura?",
            "e": "en la **e**, ¿qué escribe A y borra B?",
            "a_shown": "en la **a**, devuélvele ese campo al archivo: ¿cambia hoy algo de lo que cree o de lo "
            "que pasa?",
            "b_shown": "en la **b**, mira lo primero que dice cada línea después de «cree».",
            "c_shown": "en la **c**, busca una línea en la que se hicieron más turnos que los permitidos.",
            "d_shown": "en la **d**, busca una línea en la que se gastó más de lo permitido.",
            "e_shown": "en la **e**, busca una línea en la que la API dijo que no.",
        },
        "model": {
            "why_a": "Es `version`. Sin ella nadie puede juzgar si entiende el formato del archivo. Hoy da lo "
            "mismo, porque hay uno. El día que cambie, quien lee no podrá negarse: tomará por omisión lo que no "
            "encuentre y seguirá con datos falsos, sin ningún error.",
            "why_b": "Es `task`. La conversación quizá empiece con ella, pero el arnés no sabe a qué tarea "
            "pertenece esa escena: no puede decirle al usuario qué está reanudando, ni negarse a seguir la de "
            "otro.",
            "why_c": "Es `turns`. La cuenta empieza en cero y ya no es la de los turnos hechos. Un máximo salta "
            "tarde o no salta nunca; y si alguien la adivina, por ejemplo con los mensajes, puede saltar antes "
            "de tiempo.",
            "why_d": "Es `tokensUsed`. Sin lo acumulado, el presupuesto y el momento de compactar se juzgan mal: "
            "parece que falta mucho. Volver a estimarlo mide la conversación una vez; lo pagado vino con cada "
            "respuesta, y esas cifras no están en los mensajes.",
            "why_e": "Es `pendingToolUse`. Hace falta cuando la caída llega entre A y B: el modelo ya nombró la "
            "herramienta y su resultado no llegó a `messages`. Quien reanuda no sabe que quedó una llamada "
            "colgante, así que no puede conciliarla, y la API rechaza la conversación.",
        },
    },
    "2.2": {
        "title": "Dos faltas que solo se ven al morir",
        "criteria": {
            "torn_fault": "señalas la primera falta, en `save_checkpoint`: qué queda en el archivo si la "
            "escritura se corta, y a qué versión se puede volver",
            "blind_fault": "señalas la segunda falta, en `run_agent`: en qué momento del turno no se guarda, y "
            "qué sabe el disco si el proceso muere ahí",
            "whole": "en cada paso de la escritura hay un `checkpoint.json` entero, el viejo o el nuevo (en el "
            "primer guardado, ninguno o el nuevo); y después de una caída se puede volver a guardar",
            "save_a": "**A**: cuando una herramienta empieza, el disco ya la nombra en `pendingToolUse`, con su "
            "`id` y sus datos, y la nombra hasta que su resultado está ahí; el mensaje que la pide está en "
            "`messages`",
            "save_b": "**B**: cuando el modelo recibe la pregunta siguiente, `pendingToolUse` es `null` en el "
            "disco, y el resultado está en `messages`; una llamada respondida nunca figura como colgante",
            "to_the_end": "corre hasta el final: un reporte, la respuesta del modelo, y en el disco la escena "
            "completa, con las cuentas bien",
        },
        "hints": [
            "Para la primera, pregúntate qué hay en el archivo después de abrirlo y antes de terminar de "
            "escribirlo. Para la segunda, quién sabe, además de la memoria, que la herramienta acaba de empezar.",
            "Para la primera, el archivo que lee quien reanuda no se abre nunca para escribir: se prepara otro, "
            "a su lado, y al final se le cambia el nombre. Para la segunda, hace falta otro guardado en el mismo "
            "turno, en otro lugar.",
            "Entre agregar el mensaje del modelo y ejecutar la herramienta, pon en `pendingToolUse` los tres "
            "datos de la llamada y guarda. Después de agregar el resultado, devuélvelo a `None`, y guarda.",
        ],
        "faults": {
            "torn": (
                "un `checkpoint.json` entero, o ninguno si es el primero",
                "uno que no se puede leer",
                "{which}: la caída después del paso {step}, sobre `{name}`",
                "¿qué archivo abres para escribir? El que lee quien reanuda tiene que estar entero siempre.",
            ),
            "gone": (
                "el `checkpoint.json` de antes o el nuevo",
                "ninguno",
                "{which}: la caída después del paso {step}, sobre `{name}`",
                "para poner el nuevo no hace falta quitar antes el viejo.",
            ),
            "another": (
                "el punto de control de antes o el nuevo",
                "otra cosa",
                "{which}: la caída después del paso {step}, sobre `{name}`",
                "¿qué llega al archivo antes que la escena completa?",
            ),
            "not_saved": (
                "en `checkpoint.json`, la escena que recibió `save_checkpoint`, igual",
                "no está, o es otra",
                "{which}, ya terminado, sin ninguna caída",
                "lo que escribiste, ¿con qué nombre quedó, y en qué carpeta?",
            ),
            "not_saved_again": (
                "que el proceso nuevo guarde",
                "en `checkpoint.json` no está lo que guardó",
                "un guardado después de una caída en el paso {step} del anterior, sobre `{name}`",
                "la caída puede haber dejado a la vista un archivo a medio hacer. ¿Qué hace tu función si lo "
                "encuentra?",
            ),
            "other_disk": (
                "que guarde, esté donde esté la carpeta de la tarea",
                "no se pudo cambiar el nombre: el archivo nuevo estaba en otro disco",
                "un guardado en una carpeta que es un disco aparte",
                "un cambio de nombre entre dos sistemas de archivos puede fallar. ¿Dónde preparas el archivo?",
            ),
            "torn_in_run": (
                "un `checkpoint.json` entero en cualquier instante de la tarea",
                "uno que no se puede leer",
                "la tarea completa: la caída después del paso {step} de sus escrituras, sobre `{name}`",
                "¿guarda todo tu `run_agent` con la misma función?",
            ),
            "gone_in_run": (
                "un `checkpoint.json` en cualquier instante después del primer guardado",
                "ninguno",
                "la tarea completa: la caída después del paso {step} de sus escrituras, sobre `{name}`",
                "nadie tiene que quitar el archivo mientras la tarea sigue.",
            ),
            "no_tool": (
                "que la tarea use sus herramientas y vuelva a preguntar",
                "no ejecutó ninguna",
                "la tarea del reporte, sin ninguna caída",
                "compara tu bucle con el del enunciado: lo que cambia es cuándo se guarda.",
            ),
            "a_no_file": (
                "un `checkpoint.json` que nombre a `{name}`",
                "ninguno que se pueda leer en la carpeta de la tarea",
                "la caída cuando empieza la herramienta del turno {turn}",
                "¿quién sabe, además de la memoria, que `{name}` acaba de empezar?",
            ),
            "a_not_named": (
                "`{name}` en `pendingToolUse`",
                "`{got}`",
                "la caída cuando empieza la herramienta del turno {turn}",
                "hace falta un guardado antes de la herramienta, y no después.",
            ),
            "a_more": (
                "en `pendingToolUse`, `id`, `name` e `input`, y nada más",
                "{got}",
                "la caída cuando empieza la herramienta `{name}` del turno {turn}",
                "son los tres datos de la sección 1: quien lo lea después se niega si hay otros.",
            ),
            "a_incomplete": (
                "en `pendingToolUse`, el id y los datos de esta llamada a `{name}`",
                "faltan, o son los de otra",
                "la caída cuando empieza la herramienta del turno {turn}",
                "con el nombre no alcanza: dos llamadas a la misma herramienta se distinguen por lo demás.",
            ),
            "a_before_message": (
                "en `messages`, al final, el mensaje que pide `{name}`",
                "no está",
                "la caída cuando empieza la herramienta del turno {turn}",
                "los dos campos tienen que contar lo mismo. ¿Qué agregas primero, y cuándo guardas?",
            ),
            "a_forgotten": (
                "`{name}` en `pendingToolUse` hasta que su resultado esté en el disco",
                "deja de estar, y el resultado no llegó todavía",
                "una caída en el turno {turn}, con la herramienta ya empezada",
                "¿qué guardas primero, el campo vacío o el resultado? Mira cuántos guardados hay en tu turno.",
            ),
            "b_no_file": (
                "un `checkpoint.json` con {turn} turnos cerrados",
                "ninguno que se pueda leer en la carpeta de la tarea",
                "la caída cuando el modelo recibe la pregunta que sigue al turno {turn}",
                "mira con qué nombre guardas, y en qué carpeta.",
            ),
            "b_pending": (
                "`null` en `pendingToolUse`: la llamada ya tiene su resultado",
                "`{got}`",
                "la caída cuando el modelo recibe la pregunta que sigue al turno {turn}",
                "una llamada respondida que figura como colgante invita a repetirla. ¿Qué guardas después de la "
                "herramienta, y con qué valor?",
            ),
            "b_lost": (
                "en el disco, la misma conversación que recibe el modelo",
                "otra",
                "la caída cuando el modelo recibe la pregunta que sigue al turno {turn}",
                "¿guardas antes o después de agregar el resultado?",
            ),
            "b_both": (
                "una llamada respondida fuera de `pendingToolUse`, en cualquier instante",
                "`{name}` tiene su resultado en `messages` y sigue en `pendingToolUse`",
                "la tarea completa: la caída después del paso {step} de sus escrituras",
                "las dos cosas cambian juntas: van en un mismo guardado.",
            ),
            "reports": (
                "un reporte en el mundo",
                "{count}",
                "la tarea del reporte, sin ninguna caída",
                "¿cuántas veces ejecuta tu bucle cada llamada?",
            ),
            "answer": (
                "que `run_agent` devuelva el texto de la respuesta final",
                "«{got}»",
                "la tarea del reporte, sin ninguna caída",
                "compara tu último `return` con el del enunciado.",
            ),
            "counters": (
                "{wanted} en `{field}`",
                "{got}",
                "la caída cuando el modelo recibe la pregunta que sigue al turno {turn}",
                "mira qué cuentas cambian después del guardado, y cuáles vuelven a empezar.",
            ),
            "no_end": (
                "la escena final en `checkpoint.json`",
                "ninguna que se pueda leer en la carpeta de la tarea",
                "la tarea del reporte, ya terminada",
                "mira con qué nombre guardas, y en qué carpeta.",
            ),
            "end": (
                "`{wanted}` en `{field}`",
                "`{got}`",
                "el punto de control de la tarea ya terminada",
                "la escena tiene seis campos, y el final también se guarda.",
            ),
            "end_unanswered": (
                "la conversación entera, con la respuesta final del modelo",
                "otra",
                "el punto de control de la tarea ya terminada",
                "sin el último mensaje, quien lea el archivo no sabe que la tarea terminó.",
            ),
        },
        "moments": {
            "first_save": "al guardar por primera vez, en una carpeta vacía que es un disco aparte",
            "second_save": "al guardar sobre otro punto de control, en una carpeta que es un disco aparte",
            "save_again": "al guardar después de una caída en el paso {step} del guardado anterior",
            "run": "en la tarea del reporte, sin ninguna caída",
        },
        "model": {
            "torn_fault": "`save_checkpoint` escribe encima del mismo archivo. `open` lo vacía, y una escritura "
            "cortada deja medio JSON, que nadie puede leer. La versión anterior ya no está: no hay a qué volver. "
            "La cura es escribir un temporal al lado y ponerlo en su sitio con un cambio de nombre.",
            "blind_fault": "El bucle guarda después de agregar el resultado, en B, y nunca antes de la "
            "herramienta, en A. Una caída mientras la herramienta trabaja la deja sin rastro en el disco: quien "
            "reanuda la repite sin saberlo, o no sabe que quedó a medias. La cura es poner la llamada en "
            "`pendingToolUse` y guardar antes de ejecutarla, y devolverlo a `null` en B.",
        },
    },
}
