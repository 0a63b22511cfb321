"""The gates in Spanish: a question, then its options in their order, each with its reason; the right one says so."""

GATES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # lesson 1
    "who_runs_the_tool": (
        "¿Quién ejecuta `read_notes`?",
        [
            (
                "El modelo, en sus servidores.",
                "El modelo no tiene acceso a tu carpeta. Su respuesta termina en el pedido.",
            ),
            (
                "Tu programa, en tu máquina.",
                "Correcta. Mientras tu programa no cumpla el pedido, no ha pasado nada.",
            ),
            (
                "La API, entre el modelo y tu programa.",
                "La API lleva mensajes de un lado al otro.",
            ),
        ],
    ),
    "files_are_there": (
        "«Los archivos de salida están ahí, así que reiniciar no pierde nada». ¿Qué pasa si lanzas la tarea otra vez?",
        [
            (
                "Empieza en la semana 23: los 22 reportes le dicen por dónde iba.",
                "Nadie lee los reportes. El modelo sabe lo que dice `messages`, que en el proceso nuevo "
                "trae la tarea y nada más.",
            ),
            (
                "Empieza en la semana 1 y nadie lo nota: los reportes se sobrescriben.",
                "Un aviso no se sobrescribe.",
            ),
            (
                "Empieza en la semana 1, y 22 clientes reciben otro aviso.",
                "Correcta. Los 22 turnos completos se repiten, con sus avisos.",
            ),
            (
                "Empieza en la semana 1, y 23 clientes reciben otro aviso.",
                "La herramienta del turno 23 no llegó a empezar.",
            ),
        ],
    ),
    "memory_on_disk": (
        "El resumen de las semanas 11 a 20 y un análisis que el modelo escribió en su respuesta del turno "
        "22 son memoria. ¿Cuáles están en los archivos que dejó la caída?",
        [
            (
                "Las dos.",
                "El análisis vivía en `messages`, dentro del proceso.",
            ),
            (
                "El resumen.",
                "Correcta. Estaba en `NOTES.md`; el análisis no había salido de `messages`.",
            ),
            (
                "El análisis.",
                "Es lo más reciente, y nadie lo escribió en un archivo.",
            ),
            (
                "Ninguna.",
                "`NOTES.md` sigue en disco.",
            ),
        ],
    ),
    "who_gets_to_speak": (
        "¿En cuáles de las cuatro muertes escriben `finally` y `atexit`?",
        [
            (
                "En las cuatro.",
                "`finally` corre cuando Python sale del bloque. Si el sistema retira el proceso, Python no "
                "sale: deja de existir.",
            ),
            (
                "En la excepción y en `terminate`.",
                "Si el programa no preparó nada para SIGTERM, el sistema lo termina en el acto.",
            ),
            (
                "En la excepción.",
                "Correcta. Una excepción ocurre **dentro** de Python; las otras tres terminan el proceso sin "
                "pasar por él.",
            ),
        ],
    ),
    "turns_paid": (
        "Cuarenta turnos, 2 % de caída por turno. Empezando de nuevo tras cada caída, ¿cuántos turnos se "
        "empiezan en promedio? ¿Y con 5 %?",
        [
            (
                "41 y 42.",
                "Esos son los de quien sigue en el turno: 40 / 0.98 y 40 / 0.95.",
            ),
            (
                "62 y 136.",
                "Correcta. Con 5 % se paga más de tres veces la tarea.",
            ),
            (
                "80 y 200.",
                "No tanto, aunque el costo sí crece más rápido que la probabilidad.",
            ),
        ],
    ),
    "end_memory_or_state": (
        "¿Cuál de estas frases distingue la memoria del estado de ejecución?",
        [
            (
                "La memoria está en disco; el estado, en el proceso.",
                "Eso es dónde viven, y cambia: el análisis de la semana 22 era memoria y estaba en el proceso.",
            ),
            (
                "La memoria es lo que lee el modelo; el estado, lo que el arnés necesita para seguir.",
                "Correcta. Un resumen es memoria; que va por el turno 23 es estado; `messages` es las dos cosas.",
            ),
            (
                "La memoria es del modelo y la guarda la API; el estado es del arnés.",
                "La API no guarda nada: por eso `messages` viaja entera.",
            ),
        ],
    ),
    "end_longer_task": (
        "Una tarea crece de 40 turnos a 160. ¿Qué empeora si empieza de nuevo tras cada caída?",
        [
            (
                "El costo: hay más turnos que repetir.",
                "El costo sí, y no es lo único.",
            ),
            (
                "El costo, la probabilidad de caer y los efectos que se repiten.",
                "Correcta. Son las tres razones.",
            ),
            (
                "Nada: la probabilidad de caída por turno es la misma.",
                "Por turno es la misma. Por tarea crece: hay que pasar más turnos seguidos.",
            ),
        ],
    ),
    "end_survives": (
        "Matan el proceso ahora. ¿Cuál de estas tres cosas sobrevive?",
        [
            (
                "Un análisis que el modelo acaba de escribir en su respuesta.",
                "Es memoria, pero vive en el proceso. En `NOTES.md` sobreviviría.",
            ),
            (
                "`turns`, la cuenta de turnos.",
                "Es una variable del proceso.",
            ),
            (
                "Un aviso que ya salió.",
                "Correcta. Está en el mundo, y por eso repetirlo se nota.",
            ),
        ],
    ),
    # lesson 2
    "killed_while_saving": (
        "El proceso muere mientras hace el guardado número 22. ¿Cuántos turnos se pierden?",
        [
            (
                "Ninguno: el guardado anterior está en disco.",
                "Estaba. `save_in_place` escribe en ese mismo archivo.",
            ),
            (
                "Uno: el que se estaba guardando.",
                "Es lo que el equipo esperaba.",
            ),
            (
                "Veintidós.",
                "Correcta. El archivo que se estaba escribiendo era la única copia de los 21 anteriores.",
            ),
        ],
    ),
    "no_token_count": (
        "La tarea tiene un presupuesto de 600 tokens. Al morir llevaba 340. Borras `tokensUsed` y reanudas. "
        "¿Cuántos tokens se habrán gastado al final?",
        [
            (
                "600 como mucho: el tope está en el bucle.",
                "El tope compara con una cuenta que volvió a empezar en cero.",
            ),
            (
                "660, los mismos que con el campo.",
                "Con el campo son 660: la cuenta pasa de 600 con la respuesta del turno 3, y ahí se detiene.",
            ),
            (
                "1080, los de la tarea entera.",
                "Correcta. Para la reanudación, los 340 anteriores no existieron: antes de la última "
                "pregunta cree haber gastado 320, y el tope no salta.",
            ),
        ],
    ),
    "no_messages": (
        "La caída llega en el turno 3, con el reporte escrito y todo guardado. Borras `messages` y "
        "reanudas. ¿Qué pasa?",
        [
            (
                "La API rechaza la solicitud, porque falta la conversación.",
                "Recibe una conversación correcta y corta: la tarea, que `resume_naive` puso por omisión.",
            ),
            (
                "El modelo pregunta qué tiene que hacer.",
                "Tiene la tarea, y nada le dice que ya estaba hecha.",
            ),
            (
                "Empieza de cero y escribe el reporte otra vez.",
                "Correcta. Es una tarea nueva, en un mundo donde ya pasaron los efectos de la vieja.",
            ),
        ],
    ),
    "only_b": (
        "El proceso muere en ②: `write_report` terminó y su resultado todavía no está en `messages`. "
        "¿Alcanza con B? ¿Qué dice el disco?",
        [
            (
                "Alcanza: el disco dice que `write_report` quedó colgante, y quien reanude decide.",
                "Alguien tendría que haberlo escrito antes de ejecutarla. B escribe después.",
            ),
            (
                "No alcanza: el disco termina en el turno 2 y no nombra a `write_report`.",
                "Correcta. El último B es el del turno 2: la llamada entera no dejó rastro.",
            ),
            (
                "Alcanza: como mucho se pierde un turno, y un turno se puede repetir.",
                "Repetirlo escribe el reporte por segunda vez, y nadie puede saberlo.",
            ),
        ],
    ),
    "overwriting_loses": (
        "`save_in_place` hace `json.dumps` de la escena y `write_bytes` encima del `checkpoint.json` de "
        "siempre. El proceso muere ahí dentro. ¿Desde qué paso se pierde la versión vieja?",
        [
            (
                "Desde que se abre el archivo.",
                "Correcta. Abrirlo para escribir lo vacía, y era la única copia: hasta el último trozo "
                "faltan las dos versiones.",
            ),
            (
                "Desde que se escribe el primer trozo.",
                "Antes de ese trozo el archivo ya está vacío.",
            ),
            (
                "Desde que se escribe el último trozo.",
                "La vieja desapareció mucho antes.",
            ),
        ],
    ),
    "after_replace": (
        "El proceso muere justo después de `replace`, antes de sincronizar la carpeta. ¿Qué lee el proceso siguiente?",
        [
            (
                "El nuevo, entero.",
                "Correcta. El sistema sigue vivo y ya hizo el cambio: cualquier proceso lo ve.",
            ),
            (
                "El viejo, entero: el cambio de nombre no cuenta todavía.",
                "Para los otros procesos ya cuenta. Sincronizar importa cuando muere la máquina.",
            ),
            (
                "Uno de los dos; no se puede saber cuál.",
                "Eso vale para un corte de corriente. Aquí la máquina sigue encendida.",
            ),
        ],
    ),
    "derived_fails": (
        "`derived` calcula `task`, `turns` y `pendingToolUse` a partir de `messages`. ¿Cuándo deja de acertar?",
        [
            (
                "Nunca: `messages` tiene todo.",
                "Si alguien cambia su principio por un resumen, ya no.",
            ),
            (
                "Cuando la conversación se compacta.",
                "Correcta. Con los primeros mensajes se van la tarea literal y la cuenta de llamadas.",
            ),
            (
                "Cuando la caída llega entre A y B.",
                "Ahí acierta: la llamada está en el último mensaje.",
            ),
        ],
    ),
    "end_zero_tokens": (
        "A un punto de control le falta `tokensUsed`, y quien reanuda pone 0. ¿Con qué tropieza?",
        [
            (
                "La API rechaza la primera solicitud.",
                "La API recibe `messages`, no los contadores.",
            ),
            (
                "Repite los turnos que ya había hecho.",
                "Los turnos están en `messages`. Falta lo que costaron.",
            ),
            (
                "Se pasa del presupuesto, y compacta tarde.",
                "Correcta. La cuenta empezó de nuevo, y de los mensajes no se puede recuperar.",
            ),
        ],
    ),
    "end_only_b": (
        "Un arnés guarda solo en B y muere mientras la herramienta trabaja. ¿Qué sabe quien reanuda?",
        [
            (
                "Que la herramienta empezó y no terminó.",
                "Alguien tendría que haberlo guardado antes.",
            ),
            (
                "El turno anterior: de la llamada en curso, nada.",
                "Correcta. Volverá a preguntar, y si el efecto ya había ocurrido se repetirá sin que nadie lo note.",
            ),
            (
                "Que la llamada está colgante, con sus datos.",
                "Eso es lo que deja A.",
            ),
        ],
    ),
    "end_atomic": (
        "¿Qué hace que la escritura atómica no pueda romper `checkpoint.json`?",
        [
            (
                "Que el nombre pasa del archivo viejo al nuevo en un solo paso.",
                "Correcta. Lo que se puede cortar es la escritura del temporal, y ese archivo no lo lee nadie.",
            ),
            (
                "Que escribe tan rápido que no da tiempo a morir en medio.",
                "Tiene más pasos que escribir encima, y se puede morir en todos.",
            ),
            (
                "Que guarda dos copias y quien lee elige la que abre.",
                "El temporal no es una copia de respaldo: nadie lo lee.",
            ),
        ],
    ),
    # lesson 3
    "what_the_model_notices": (
        "El proceso muere en ③ del turno 2 y otro proceso reanuda. ¿Qué nota el modelo?",
        [
            (
                "Que pasó tiempo: su respuesta tarda más en llegar.",
                "El modelo no espera: no hay nada en marcha entre dos solicitudes.",
            ),
            (
                "Que falta un turno: tiene que volver a leer las notas.",
                "B guardó los dos turnos. No falta ninguno.",
            ),
            (
                "Nada: recibe la misma solicitud.",
                "Correcta. La solicitud es `messages` entero, y `messages` está en disco, entero.",
            ),
        ],
    ),
    "resume_finished": (
        "La tarea terminó y alguien la reanuda con `resume_naive`, que pregunta siempre. ¿Qué pasa?",
        [
            (
                "El modelo repite su respuesta final y se paga otra vez.",
                "Para eso la solicitud tendría que ser válida, y no lo es.",
            ),
            (
                "La API rechaza la solicitud.",
                "Correcta. El último mensaje es del modelo, y el modelo no admite una conversación que termine así.",
            ),
            (
                "Se ejecuta otra vez la última herramienta.",
                "El último mensaje no pide ninguna herramienta.",
            ),
        ],
    ),
    "same_two_files": (
        "En ① la herramienta no empezó. En ② ya terminó. ¿En qué se diferencian los dos puntos de control?",
        [
            (
                "En ② está el resultado de la herramienta.",
                "El resultado llega a `messages` en B, y B no ocurrió.",
            ),
            (
                "En `turns`: ② ya contó el turno.",
                "El turno se cuenta antes de A: los dos lo contaron.",
            ),
            (
                "En nada.",
                "Correcta. Los dos tienen el mismo A. Lo que cambió está fuera del archivo.",
            ),
        ],
    ),
    "result_without_call": (
        "Si A se guardara **antes** de agregar a `messages` el mensaje del modelo, y al reanudar se "
        "agregara un resultado, ¿cuál sería el error?",
        [
            (
                "Ninguno: la llamada está en `pendingToolUse`.",
                "La API no ve `pendingToolUse`. Ve `messages`, y ahí nadie pidió nada.",
            ),
            (
                "Un resultado sin llamada.",
                "Correcta. Es el 400 gemelo: un `tool_result` cuyo `tool_use` no está en el mensaje "
                "anterior. Por eso A va después de agregar el mensaje. La lección 6 lo ejecuta.",
            ),
            (
                "Una llamada sin resultado.",
                "Ese es el de la historia: pasa cuando el mensaje está y el resultado no.",
            ),
        ],
    ),
    "delete_the_message": (
        "Se borra el mensaje y se vuelve al bucle. El proceso había muerto en ② del turno 3. ¿Cuántas veces "
        "se escribe el reporte en total?",
        [
            (
                "Dos.",
                "Correcta. El modelo no sabe que lo pidió, y la tarea sigue siendo la misma: lo vuelve a pedir.",
            ),
            (
                "Una.",
                "Sería así en ①, donde todavía no se había escrito.",
            ),
            (
                "Ninguna.",
                "La tarea no terminó: el modelo pide lo que falta.",
            ),
        ],
    ),
    "run_it_again": (
        "¿En qué filas de la tabla va a estar bien?",
        [
            (
                "En todas: la llamada se pidió y hay que responderla.",
                "En ② ya se había ejecutado: el efecto ocurre otra vez.",
            ),
            (
                "En ninguna: nunca se ejecuta dos veces.",
                "Leer dos veces no cambia el mundo: ahí no hay nada que temer.",
            ),
            (
                "En las de solo lectura, y en ① y ③ de la otra.",
                "Correcta. El problema es que quien reanuda no sabe si está en ① o en ②.",
            ),
        ],
    ),
    "always_unknown": (
        "¿Y si se responde siempre así, también a `read_notes`?",
        [
            (
                "El modelo puede quedarse sin un dato que se podía volver a leer.",
                "Correcta. «No se sabe si se leyó» es verdad y no sirve: se podía leer otra vez sin riesgo.",
            ),
            (
                "Nada malo: decir la verdad nunca estorba, y el modelo se adapta.",
                "Mira en la corrida qué hace el modelo con esa verdad.",
            ),
            (
                "La API rechaza un `is_error` en una herramienta de solo lectura.",
                "La API no sabe qué herramientas son de solo lectura.",
            ),
        ],
    ),
    "resume_a_reader": (
        "Vas a elegir ② en el turno 2, el de `count_words`. ¿Qué rama tomará el arnés al reanudar?",
        [
            (
                "Ejecutar la llamada otra vez.",
                "Correcta. Está declarada de solo lectura, y eso alcanza para decidir, aunque nadie sepa si llegó a "
                "contar.",
            ),
            (
                "Responder `is_error`: no se sabe.",
                "Es la rama de las que tienen efectos secundarios. Aquí el modelo perdería un dato que se puede volver "
                "a obtener.",
            ),
            (
                "Preguntar al modelo, sin tocar la llamada.",
                "La llamada quedaría sin respuesta, y la API rechazaría la conversación.",
            ),
        ],
    ),
    "counters_from_zero": (
        "Una tarea tiene un tope de 6 turnos y muere cada 2. La reanudan cuatro veces. Si los contadores "
        "volvieran a cero en cada reanudación, ¿cuántos turnos correría en sus cinco vidas?",
        [
            (
                "6, como dice el tope.",
                "El tope mira `turns`, y `turns` nunca pasaría de 2.",
            ),
            (
                "10.",
                "Correcta. Cinco vidas de 2 turnos: ninguna llega al tope.",
            ),
            (
                "2: muere antes de seguir.",
                "Lo hecho sigue en `messages`: cada vida avanza 2 turnos más.",
            ),
        ],
    ),
    "answer_not_saved": (
        "El proceso muere con la respuesta del modelo ya recibida y sin guardar. ¿Qué hará la reanudación?",
        [
            (
                "Ejecutar la llamada que venía en esa respuesta.",
                "Esa llamada no está en ninguna parte: nunca llegó al disco.",
            ),
            (
                "Responder `is_error` a esa llamada.",
                "No hay nada colgante: para el archivo, esa respuesta no existió.",
            ),
            (
                "Volver a preguntar.",
                "Correcta. La API cobra las dos respuestas, y `tokensUsed` solo cuenta la que se guardó.",
            ),
        ],
    ),
    "end_dangling": (
        "¿Qué distingue a una llamada colgante de una herramienta que falló?",
        [
            (
                "La que falló no se puede repetir; la colgante, sí.",
                "Repetir o no depende de lo que le hace al mundo, no de haber fallado.",
            ),
            (
                "La colgante no tiene ningún resultado; la que falló, sí.",
                "Correcta. A una le falta la respuesta y la API la rechaza; la otra ya la tiene, y es un error.",
            ),
            (
                "La colgante lleva `is_error`; la que falló, no.",
                "`is_error` va en un resultado, y la colgante no lo tiene: se lo pone quien concilia.",
            ),
        ],
    ),
    "end_version_two": (
        'Al reanudar, el archivo tiene `"version": 2`. ¿Qué se hace?',
        [
            (
                "Se leen los campos que se conocen.",
                "Un formato nuevo leído como viejo da un estado que parece bueno.",
            ),
            (
                "Se empieza de nuevo, en la misma carpeta.",
                "Eso lo decide una persona: empezar de nuevo repite efectos.",
            ),
            (
                "Se rechaza, con el archivo intacto.",
                "Correcta. Se dice qué versión es y se deja todo como estaba.",
            ),
        ],
    ),
    "end_not_again": (
        "La llamada colgante es de una herramienta con efectos secundarios. ¿Por qué no se ejecuta otra vez?",
        [
            (
                "Porque pudo haber ocurrido ya.",
                "Correcta. ① y ② dejan el mismo archivo: repetirla es arriesgarse a duplicar el efecto.",
            ),
            (
                "Porque la API rechaza una llamada repetida.",
                "La API no sabe qué ejecutaste: vio un resultado y quedó conforme.",
            ),
            (
                "Porque el modelo la va a pedir de todos modos.",
                "La pide otra vez solo si mira y no la encuentra hecha.",
            ),
        ],
    ),
    # lesson 4
    "model_corrects_itself": (
        "El arnés del colega muere en ② y, al reanudar, repite la llamada a ciegas. ¿Ve el modelo el "
        "resultado y se corrige?",
        [
            (
                "Sí: lee que ya había un ticket y cierra el segundo.",
                "El resultado de la primera vez murió con el proceso. Nadie se lo va a contar.",
            ),
            (
                "No: lee un solo resultado, y le parece bueno.",
                "Correcta. Es el de la segunda vez. El modelo se adapta a lo que le dicen, y nadie le dijo "
                "que hubo una primera.",
            ),
            (
                "Sí: al ver que la llamada se repite, se detiene.",
                "La repetición la hizo el arnés, por su cuenta. En `messages` hay una sola llamada.",
            ),
        ],
    ),
    "which_way_out": (
        "En ① la herramienta no había empezado; en ②, terminó sin que nada lo dijera en disco. ¿Con qué "
        "salida queda exactamente un ticket en los dos momentos?",
        [
            (
                "Repetirla.",
                "En ① deja uno; en ②, dos.",
            ),
            (
                "Darla por hecha.",
                "En ② deja uno; en ①, ninguno.",
            ),
            (
                "Ninguna de las dos.",
                "Correcta. Cada una acierta en un momento y se equivoca en el otro, y desde el disco no se "
                "ve en cuál estás.",
            ),
        ],
    ),
    "what_is_left": (
        "`read_temperature` devuelve 36.8 y, la segunda vez, 37.1. `toggle_alarm` cambia la alarma de "
        "apagada a encendida, o al revés, y devuelve «hecho» las dos veces. ¿Cuál es idempotente?",
        [
            (
                "`toggle_alarm`: devuelve lo mismo.",
                "El mismo «hecho» tapa que la alarma quedó al revés.",
            ),
            (
                "`read_temperature`: el mundo queda igual.",
                "Correcta. Leer no cambió nada; la temperatura se movió por su cuenta.",
            ),
            (
                "Ninguna: en las dos cambia algo.",
                "En la primera cambia el valor devuelto, que no cuenta.",
            ),
        ],
    ),
    "same_call_same_data": (
        "Tres llamadas a `open_ticket`: la primera, la misma otra vez, y una nueva, con los mismos datos y "
        "otro id. ¿Cuántos tickets quedan?",
        [
            (
                "Uno.",
                "La clave es el id. Los datos se comparan para que un acierto sea de la misma llamada, no "
                "para buscarlo.",
            ),
            (
                "Dos.",
                "Correcta. La segunda es una repetición; la tercera, otro pedido. Puede que lo sea de "
                "verdad: dos vecinos con la caldera rota.",
            ),
            (
                "Tres.",
                "La segunda lleva el id de la primera: es un acierto, y la herramienta no se toca.",
            ),
        ],
    ),
    "two_tickets": (
        "La tarea del ticket, con este bucle, muerta en cada uno de los cuatro momentos y reanudada. ¿En "
        "cuáles acaba con dos tickets?",
        [
            (
                "En ② y en ★.",
                "En ★ la anotación está en disco: es un acierto, y la herramienta no se toca.",
            ),
            (
                "En ②.",
                "Correcta. El ticket se abrió y la anotación no llegó: para quien lee el disco es un fallo "
                "en el registro, como en ①.",
            ),
            (
                "En ninguno.",
                "El registro solo conoce lo que se llegó a anotar. En ② la caída se adelantó.",
            ),
        ],
    ),
    "star_or_two": (
        "El reporte está escrito en ② y también en ★. ¿Cuál de los dos archivos los distingue?",
        [
            (
                "`checkpoint.json`.",
                "Es el mismo A en los dos: a B no llegó ninguno.",
            ),
            (
                "`effects.json`.",
                "Correcta. En ★ la anotación llegó al disco; en ②, no.",
            ),
            (
                "Ninguno: hay que mirar el mundo.",
                "Así era sin registro. Se anota para no depender de que alguien pueda mirar.",
            ),
        ],
    ),
    "cannot_note": (
        "El ticket se abre y, al ir a anotarlo, el registro no se puede escribir. ¿Qué debe leer el modelo?",
        [
            (
                "`is_error`: algo salió mal.",
                "Se perdió la anotación; la herramienta hizo su trabajo. Un modelo que lee «falló» puede "
                "pedirla otra vez, con otro id.",
            ),
            (
                "El resultado, sin `is_error`.",
                "Correcta. El ticket existe y su número se conoce. A la persona que opera el arnés se le avisa aparte.",
            ),
            (
                "Nada: hay que detenerse ahora mismo.",
                "El resultado está en la mano y B todavía puede guardarlo. Detenerse ahora lo deja sin guardar.",
            ),
        ],
    ),
    "noted_first": (
        "Ese arnés muere con la llamada anotada y la herramienta sin empezar. ¿Qué hace la reanudación?",
        [
            (
                "Ve que está en curso y la ejecuta.",
                "Para el registro, anotada quiere decir hecha. No hay otra lectura posible.",
            ),
            (
                "Toma «en curso» por un resultado y sigue.",
                "Correcta. Es una dosis firmada que nadie dio: el modelo lee un éxito y el mundo no tiene nada.",
            ),
            (
                "Responde que no se sabe.",
                "Eso es lo que se responde en un fallo en el registro, y aquí hay un acierto.",
            ),
        ],
    ),
    "hasty_at_two": (
        "Con `run_agent`, muerto en ②, ¿cuántos tickets quedan con el modelo apresurado?",
        [
            (
                "Uno: el arnés dijo la verdad.",
                "La dijo, y el modelo no la escuchó. El arnés no puede obligarlo a mirar.",
            ),
            (
                "Dos con `open_ticket` y uno con `ensure_ticket`.",
                "Correcta. Lo que el arnés no puede impedir, la herramienta sí.",
            ),
            (
                "Dos con cualquiera de las dos herramientas.",
                "`ensure_ticket` mira por su cuenta, aunque el modelo no lo haga.",
            ),
        ],
    ),
    "end_exactly_once": (
        "¿Por qué no hay «exactamente una vez»?",
        [
            (
                "Porque el efecto y su anotación son dos pasos.",
                "Correcta. Una caída entre los dos deja un efecto sin prueba, o una prueba sin efecto.",
            ),
            (
                "Porque escribir en disco es lento.",
                "Por rápido que sea, sigue habiendo un antes y un después.",
            ),
            (
                "Porque el modelo puede equivocarse.",
                "Ocurre igual con un modelo perfecto: quien repite es el arnés.",
            ),
        ],
    ),
    "end_cancel_order": (
        "Una herramienta `cancel_order(order)` cancela un pedido; si ya estaba cancelado, da un error. ¿Es "
        "idempotente?",
        [
            (
                "No: la segunda vez da un error.",
                "El error es el valor. En el mundo, el pedido sigue cancelado.",
            ),
            (
                "Sí, mientras nadie reactive el pedido en medio.",
                "Correcta. El mundo queda igual, y la condición es esa.",
            ),
            (
                "No se puede saber sin mirar el valor.",
                "Es lo único que no hace falta mirar.",
            ),
        ],
    ),
    "end_when_to_note": (
        "¿Cuándo se anota una llamada?",
        [
            (
                "Al guardar A, para que no se pierda.",
                "Todavía no hay resultado: sería un relleno, y un relleno es un acierto.",
            ),
            (
                "Junto con B, cuando el turno se cierra.",
                "Toda caída entre el éxito y B quedaría sin cubrir: ★ sería ②.",
            ),
            (
                "Apenas la herramienta tiene éxito, antes de B.",
                "Correcta. Es el primer instante en que lo anotado es verdad.",
            ),
        ],
    ),
    # lesson 5
    "entries_after_rewind": (
        "La tarea terminó con cinco anotaciones en el registro. Después de `rewind_to(3)`, ¿cuántas tiene?",
        [
            (
                "3: las de los turnos que quedan.",
                "Los correos de los turnos 4 y 5 salieron. Un registro que los olvidara mentiría.",
            ),
            (
                "0: la línea nueva empieza de cero.",
                "Salieron los cinco correos. Un registro vacío los negaría.",
            ),
            (
                "5: las mismas.",
                "Correcta. El registro cuenta lo que ocurrió en el mundo, y eso no cambió: solo crece.",
            ),
        ],
    ),
    "two_offers": (
        "La bifurcación sale del turno 2 y ofrece 20 %. Eva es la clienta del turno 3, y en la carpeta "
        "original su envío está anotado. ¿Recibirá dos ofertas?",
        [
            (
                "No: la bifurcación hereda el registro.",
                "Hereda lo anotado hasta el turno 2. El envío a Eva es posterior, y además tendría otro id.",
            ),
            (
                "Sí: cada línea le escribe por su cuenta.",
                "Correcta. Dos líneas que envían, envían dos veces. Cada registro hace bien su trabajo.",
            ),
            (
                "No: el mundo es uno solo y se da cuenta.",
                "El mundo es uno solo: por eso llegan las dos. Un buzón no rechaza un segundo correo.",
            ),
        ],
    ),
    "drop_git": (
        "Un compañero propone: «los puntos de control pueden rebobinar, así que ya no hace falta Git». ¿Qué le dices?",
        [
            (
                "Tiene razón, mientras la secuencia esté completa y nadie la pode.",
                "Completa o no, la secuencia guarda la escena del agente, y no los archivos que produjo.",
            ),
            (
                "Se equivoca: los archivos del proyecto no están en un punto de control.",
                "Correcta. Rebobinar mueve la conversación. Los archivos quedan como los dejó la última "
                "línea que los tocó.",
            ),
            (
                "Se equivoca: Git también puede guardar `messages`, y lo hace mejor.",
                "Puedes ponerlos en Git, pero eso no dice qué les falta a los puntos de control: los archivos.",
            ),
        ],
    ),
    "after_pruning": (
        "La secuencia tiene los turnos 1 a 4, y del 2 salió una bifurcación. ¿Qué turnos quedan después de "
        "`prune(folder, 1)`?",
        [
            (
                "El 4.",
                "El 4 es el último; falta la excepción.",
            ),
            (
                "El 2 y el 4.",
                "Correcta. El 4 por ser el último; el 2, porque de él salió una bifurcación.",
            ),
            (
                "El 3 y el 4.",
                "El 3 no es el último ni el origen de nadie.",
            ),
        ],
    ),
    "end_when_to_rewind": (
        "¿En cuál de estas situaciones rebobinar es lo que corresponde?",
        [
            (
                "El proceso murió en el turno 8, con una llamada colgante.",
                "Eso es reanudar, y conciliar la llamada.",
            ),
            (
                "Nadie murió, y en el turno 8 el agente eligió mal.",
                "Correcta. Vuelves al B del turno 7; lo que venía se abandona.",
            ),
            (
                "Nadie murió, y quieres dos versiones del turno 8 para elegir.",
                "Eso es bifurcar: las dos líneas quedan vivas.",
            ),
        ],
    ),
    "end_what_stays": (
        "Rebobinas del turno 5 al 3. ¿Qué queda igual que antes de rebobinar?",
        [
            (
                "`checkpoint.json`.",
                "Ahora es el B del turno 3.",
            ),
            (
                "La secuencia en `checkpoints/`.",
                "Los archivos de los turnos 4 y 5 están en `abandoned/`.",
            ),
            (
                "El registro de efectos, y el mundo.",
                "Correcta. Lo hecho está hecho, y sigue anotado.",
            ),
        ],
    ),
    "end_double_charge": (
        "Dos líneas salen del mismo turno y las dos tienen una herramienta que cobra. ¿Qué evita el doble cobro?",
        [
            (
                "Que la bifurcación herede el registro.",
                "Hereda lo anterior. Los cobros nuevos van a registros separados.",
            ),
            (
                "Un commit de Git antes de bifurcar.",
                "Git guarda archivos, y un cobro no es un archivo.",
            ),
            (
                "Una aprobación, o que una de las dos corra como ensayo.",
                "Correcta. Alguien decide antes, o una de las líneas no toca el mundo.",
            ),
        ],
    ),
    # lesson 6
    "what_happens_to_the_report": (
        "El proceso nuevo lee esos dos archivos. ¿Qué hará con `write_report`?",
        [
            (
                "Ejecutarla otra vez: el punto de control dice que está colgante.",
                "Colgante quiere decir que nadie la respondió, no que no ocurrió. Repetirla escribiría el "
                "reporte dos veces.",
            ),
            (
                "Tomar el resultado del registro y seguir.",
                "Correcta. El registro tiene la misma llamada, con el mismo id: el efecto ocurrió y su "
                "resultado se conoce.",
            ),
            (
                "Detenerse y pedir que alguien decida.",
                "Este arnés no se detiene ni cuando nadie sabe qué pasó: se lo dice al modelo. Aquí, además, se sabe.",
            ),
        ],
    ),
    "which_branch": (
        "Elige la rama que tomará `reconcile` con ese disco.",
        [
            (
                "Acierto: el reporte ya está escrito.",
                "Está escrito, y el mundo lo sabe. El arnés lee solo el registro, y `toolu_03` no está.",
            ),
            (
                "Fallo con solo lectura: se ejecuta otra vez.",
                "`write_report` no se declaró de solo lectura.",
            ),
            (
                "Fallo con efectos secundarios: `is_error`.",
                "Correcta. No hay anotación y la herramienta tiene efectos: nadie sabe si ocurrió.",
            ),
        ],
    ),
    "one_and_two_differ": (
        "Las caídas ① y ② en ese turno: ¿en qué se distinguen, mirando solo el punto de control y el registro?",
        [
            (
                "En ② `checkpoint.json` ya tiene el resultado.",
                "El resultado llega a `messages` en B, que aún no ocurrió.",
            ),
            (
                "En ② `effects.json` tiene la anotación.",
                "La anotación es el paso siguiente: ② muere justo antes.",
            ),
            (
                "En nada que diga si el reporte se escribió.",
                "Correcta, y ese es el límite del registro: en esos dos archivos, «no empezó» y «terminó "
                "sin anotarse» son lo mismo.",
            ),
        ],
    ),
    "without_a": (
        "Un colega propone quitar A: «B ya guarda todo, y además tenemos el registro». ¿Alcanza con B para "
        "este agente, que escribe un reporte?",
        [
            (
                "Alcanza: si la llamada está en el registro, no se repite.",
                "El registro se consulta por id. Al reanudar desde el B anterior, el modelo vuelve a "
                "responder, y la API le da a su llamada un id **nuevo**: no hay acierto.",
            ),
            (
                "No alcanza: nadie sabe qué id buscar en el registro.",
                "Correcta. La llamada que estaba en curso no está en ninguna parte del punto de control. El "
                "efecto se repite bajo otro id. Por eso existe A.",
            ),
            (
                "No alcanza: sin A no se puede escribir el registro.",
                "El registro se escribe igual: mira «anotadas» en la salida siguiente. Lo que falta es el "
                "id con que buscarlo.",
            ),
        ],
    ),
    "without_b": (
        "Ahora al revés: con el registro en marcha, ¿alcanza con A y sin B?",
        [
            (
                "No alcanza: hay resultados que no están en el registro.",
                "Correcta. El error de una herramienta que falló y el resultado que no se pudo anotar están "
                "solo en `messages`; y, si tu registro anota solo los efectos, también lo que se leyó. Sin "
                "B no llegan al disco hasta el A siguiente: si el proceso muere antes, se pierden.",
            ),
            (
                "Alcanza: el registro tiene todos los resultados.",
                "Tiene los de las herramientas que terminaron **bien** y se pudieron anotar.",
            ),
            (
                "No alcanza: sin B se pierde el número de turno.",
                "El número de turno ya está en A.",
            ),
        ],
    ),
    "a_before_the_push": (
        "Muere en ★, el mismo momento de la demostración, y reanuda dos veces. ¿Qué pasa?",
        [
            (
                "Sigue como en la sección 1: el registro tiene el resultado.",
                "El resultado está, y `reconcile` lo encuentra. Pero responde a una llamada que la "
                "conversación de disco no tiene.",
            ),
            (
                "La primera reanudación recibe un 400 y la segunda sigue.",
                "La segunda lee el mismo disco: la primera no guardó nada nuevo.",
            ),
            (
                "Las dos reciben el mismo 400.",
                "Correcta. Las dos mandan la misma conversación, con un resultado que nadie pidió.",
            ),
        ],
    ),
    "who_writes_twice": (
        "¿Qué estrategias escriben el reporte dos veces si la caída es ②?",
        [
            (
                "Nada en disco y a ciegas.",
                "También «solo B»: su disco no nombra la llamada, y el modelo la pide otra vez.",
            ),
            (
                "Nada en disco, solo B y a ciegas.",
                "Correcta. Las otras tres no ejecutan la llamada colgante; lo que las separa está en las "
                "demás columnas.",
            ),
            (
                "Todas menos siempre `is_error` y la de esta lección.",
                "Sin conciliar, la tarea se atasca con el reporte escrito una vez.",
            ),
        ],
    ),
    "hasty_rows": (
        "Con el modelo apresurado, ¿en qué filas de la lección cambia «escrito»?",
        [
            (
                "En ninguna: el arnés lo impide.",
                "El arnés dice que no se sabe. Lo que el modelo hace después no está en sus manos.",
            ),
            (
                "En ②.",
                "Correcta. Lee `is_error` por una llamada que sí ocurrió, y la repite.",
            ),
            (
                "En ② y en ★.",
                "En ★ no lee `is_error`: recibe el resultado verdadero y no tiene nada que repetir.",
            ),
        ],
    ),
    "broken_b_only": (
        "En `lab/broken` hay cinco arneses que parecen correctos. ¿En qué momento falla el que guarda solo B?",
        [
            (
                "En ninguno: B guarda el resultado de la herramienta.",
                "B guarda el resultado, pero después de que la herramienta actuó. Si la muerte llega antes, "
                "no queda nada.",
            ),
            (
                "En ②: el efecto está hecho y en disco nada lo dice.",
                "Correcta. Al reanudar, el modelo pide lo mismo y el efecto se repite sin que nadie lo sepa.",
            ),
            (
                "En ③: ya preguntó y perdió la respuesta.",
                "En ③, B ya está en disco: se pregunta otra vez y nada se pierde.",
            ),
        ],
    ),
    "engines_at_2": (
        "Un motor guarda el resultado de cada paso y, al volver, no repite los pasos que ya lo tienen. El proceso "
        "muere en ②: el reporte está escrito, y el resultado de ese paso todavía no. ¿Qué pasa al correrlo otra vez?",
        [
            (
                "El reporte queda escrito una vez: para eso es un motor.",
                "Lo que evita repetir un paso es su resultado guardado, y la muerte llegó antes.",
            ),
            (
                "El reporte se escribe otra vez, y el modelo lee un solo éxito.",
                "Correcta. Un paso sin resultado es un paso por correr, y el motor no sabe que detrás hay un modelo.",
            ),
            (
                "El motor avisa al modelo que nadie sabe si el reporte se escribió.",
                "Eso lo hace tu `reconcile`. Un motor guarda pasos: no sabe cuáles tienen efectos.",
            ),
        ],
    ),
    "end_between_a_and_b": (
        "El proceso murió entre A y B. ¿Qué dice el punto de control?",
        [
            (
                "La herramienta no empezó.",
                "A se guarda antes de empezar; la caída pudo llegar después.",
            ),
            (
                "La herramienta terminó.",
                "Eso lo dice una anotación del registro.",
            ),
            (
                "La llamada se pidió y B no llegó.",
                "Correcta. Si ocurrió, búscalo en el registro.",
            ),
        ],
    ),
    "end_ledger_with_b": (
        "¿Qué pasa si el registro se escribe junto con B?",
        [
            (
                "Una herramienta que terminó puede quedar sin anotar.",
                "Correcta. Queda sin cubrir el hueco entre el éxito y B.",
            ),
            (
                "Una herramienta que no empezó puede quedar anotada.",
                "Eso pasa si se anota antes de ejecutar.",
            ),
            (
                "El modelo puede recibir dos resultados de una llamada.",
                "Cada llamada recibe uno; el registro no agrega otro.",
            ),
        ],
    ),
    "end_no_entry": (
        "`reconcile` no encuentra anotación de una herramienta con efectos. ¿Qué recibe el modelo?",
        [
            (
                "El resultado de ejecutarla otra vez.",
                "Podría repetir el efecto.",
            ),
            (
                "Un `is_error` que dice que no se sabe.",
                "Correcta. La API tiene su respuesta y el efecto no se repite.",
            ),
            (
                "Nada, porque no hay resultado.",
                "La API rechaza una llamada sin `tool_result`.",
            ),
        ],
    ),
}
