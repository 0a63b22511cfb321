"""The exercises of lesson 1 in Spanish."""

from typing import Any

EXERCISES: dict[str, dict[str, Any]] = {
    "1.1": {
        "title": "Memoria, estado o salida",
        "criteria": {
            "first": "en la primera vuelta, dices qué es cada una de las seis cosas",
            "first_survives": "en la primera vuelta, lo que dices que sobrevive es lo que se encontró después de "
            "matar el proceso",
            "second": "en la segunda vuelta, dices qué es cada una de las otras seis",
            "second_survives": "en la segunda vuelta, lo que dices que sobrevive es lo que se encontró después "
            "de matar el proceso",
            "fifth": "das tu razón para la quinta: qué es, dónde vive en ese instante, y cuál de las dos cosas "
            "decide si sobrevive",
        },
        "hints": [
            "Hazte dos preguntas por separado, y responde la segunda sin mirar la primera. ¿Para quién es: para "
            "el modelo, para el bucle o para alguien de fuera? ¿Está dentro del proceso o fuera?",
            "Para decir qué es, imagina que esa cosa falta. ¿Quién tropieza: el modelo, que no sabe algo; el "
            "bucle, que no puede seguir; o alguien de fuera, que no recibe lo suyo?",
            "Para si sobrevive, busca el último sitio al que llegó en ese instante. Una variable, un mensaje o "
            "un texto que espera a ser escrito están dentro del proceso, aunque su destino sea un archivo.",
        ],
        "fields": {
            "1": "1. El resumen, en `NOTES.md`: ¿qué es?",
            "1_survives": "1. El resumen, en `NOTES.md`: ¿sobrevive?",
            "2": "2. `messages`: ¿qué es?",
            "2_survives": "2. `messages`: ¿sobrevive?",
            "3": "3. `report.md`, ya escrito: ¿qué es?",
            "3_survives": "3. `report.md`, ya escrito: ¿sobrevive?",
            "4": "4. `turns`: ¿qué es?",
            "4_survives": "4. `turns`: ¿sobrevive?",
            "5": "5. El análisis de este turno: ¿qué es?",
            "5_survives": "5. El análisis de este turno: ¿sobrevive?",
            "6": "6. El `tool_use` sin resultado: ¿qué es?",
            "6_survives": "6. El `tool_use` sin resultado: ¿sobrevive?",
            "7": "7. `tokensUsed`: ¿qué es?",
            "7_survives": "7. `tokensUsed`: ¿sobrevive?",
            "8": "8. El correo que ya salió: ¿qué es?",
            "8_survives": "8. El correo que ya salió: ¿sobrevive?",
            "9": "9. Las reglas de `ESTILO.md`: ¿qué son?",
            "9_survives": "9. Las reglas de `ESTILO.md`: ¿sobreviven?",
            "10": "10. Las dos líneas del anexo: ¿qué son?",
            "10_survives": "10. Las dos líneas del anexo: ¿sobreviven?",
            "11": "11. La razón del turno 9: ¿qué es?",
            "11_survives": "11. La razón del turno 9: ¿sobrevive?",
            "12": "12. La copia del turno 16: ¿qué es?",
            "12_survives": "12. La copia del turno 16: ¿sobrevive?",
        },
        "options": {
            "memory": "memoria",
            "state": "estado",
            "output": "salida",
            "both": "ambas: memoria y estado",
            "yes": "sí",
            "no": "no",
        },
        "why": {
            "1": "en la 1, ¿quién va a leer ese archivo, y para qué?",
            "1_survives": "en la 1, ¿hasta dónde había llegado el resumen cuando murió el proceso?",
            "2": "en la 2, ¿quién usa esa lista? Puede haber más de uno.",
            "2_survives": "en la 2, es una lista de Python. ¿Alguien la había escrito en otra parte?",
            "3": "en la 3, ¿para quién se hizo ese archivo?",
            "3_survives": "en la 3, el archivo está escrito y cerrado.",
            "4": "en la 4, ¿quién mira esa cuenta antes de dar otra vuelta?",
            "4_survives": "en la 4, ¿dónde vive una variable?",
            "5": "en la 5, ¿quién se queda sin saber algo si ese análisis falta?",
            "5_survives": "en la 5, sigue el camino de la respuesta. ¿A qué archivo había llegado?",
            "6": "en la 6, ¿quién tiene que acordarse de lo que pidió el modelo y todavía está sin responder?",
            "6_survives": "en la 6, ¿qué la guarda, mientras la herramienta trabaja?",
            "7": "en la 7, ¿quién compara esa cuenta con un tope?",
            "7_survives": "en la 7, ¿qué archivo lleva esa cuenta?",
            "8": "en la 8, ¿quién lo recibió?",
            "8_survives": "en la 8, ¿puede una caída traer el correo de vuelta?",
            "9": "en la 9, el arnés las pone en cada solicitud. ¿Quién las lee ahí?",
            "9_survives": "en la 9, ¿de dónde las toma el arnés cada vez?",
            "10": "en la 10, ¿para quién se escribía el anexo?",
            "10_survives": "en la 10, mira dónde estaban las líneas en ese instante, en lugar de adónde iban.",
            "11": "en la 11, ¿quién necesita recordar esa razón?",
            "11_survives": "en la 11, la razón está en una respuesta. ¿Dónde se guardan las respuestas?",
            "12": "en la 12, mira de qué es copia: vale lo que valía el original.",
            "12_survives": "en la 12, compara con la 2: ¿qué cambió, la cosa o el lugar?",
        },
        "model": {
            "fifth": "Es memoria: algo que el modelo entendió y que usará para seguir. Pero en ese instante vive "
            "en la respuesta, y de ahí pasa a `messages`, que está dentro del proceso; por eso muere con él. Lo "
            "que es no decide nada: decide dónde vive ahora. El mismo texto, ya copiado a `NOTES.md`, habría "
            "sobrevivido.",
        },
    },
    "1.2": {
        "title": "El inventario de la pérdida",
        "criteria": {
            "inventory": "en palabras: tu lista tiene las cuatro cosas que se perdieron, qué le impide cada una "
            "al proceso nuevo, y lo que no se perdió",
            "values": "en los tres momentos vuelven los valores de la tarea, los turnos, los tokens y la "
            "conversación, iguales a los de la escena",
            "call": "durante la llamada vuelve también la llamada en curso, con su `id`, su nombre y sus datos: "
            "en una clave propia o como último mensaje de la conversación",
            "json": "lo que devuelves va y vuelve por JSON",
            "left_out": "la clave de la API no aparece por ninguna parte, y tampoco lo que un proceso nuevo "
            "construye otra vez: el cliente y las herramientas, ni siquiera como texto",
            "untouched": "la escena queda como estaba: el bucle la sigue usando",
            "why": "dices de cada campo por qué está, y de lo que dejas fuera, por qué no hace falta",
        },
        "hints": [
            "Recorre las claves de la escena y pregunta por cada una: ¿el proceso nuevo puede conseguirla sin "
            "que se la guarden? ¿Y debería estar escrita en un archivo?",
            "Hay tres clases de cosas: las que un programa construye al empezar, las que nadie debería leer en "
            "un archivo, y las que cambian con cada turno. ¿Cuáles se pierden de verdad?",
            "Haz un diccionario nuevo y copia en él, de `scene`, las claves que elegiste. No borres nada de la "
            "escena. Donde no hay llamada en curso, su valor también se puede copiar tal como está.",
        ],
        "faults": {
            "kind": (
                "un diccionario",
                "algo de tipo `{kind}`",
                "la escena {moment}",
                "¿qué devuelve tu función en el último `return`?",
            ),
            "not_json": (
                "algo que `json.dumps` acepte",
                "`{kind}`: {reason}",
                "la escena {moment}",
                "mira qué valores de la escena no son textos, números, listas ni diccionarios. ¿De dónde los "
                "sacó este proceso?",
            ),
            "lost_task": (
                "la tarea, como está en la escena",
                "no está en lo que volvió",
                "la escena {moment}",
                "¿cómo sabrá el proceso nuevo qué le pidieron? El primer mensaje puede decir más cosas.",
            ),
            "lost_turns": (
                "la cuenta de turnos, como número",
                "no está en lo que volvió",
                "la escena {moment}",
                "¿con qué comparará el proceso nuevo el tope de turnos? Vale el número de la escena, y no otro "
                "que se le parezca.",
            ),
            "lost_tokens": (
                "los tokens gastados, como número",
                "no están en lo que volvió",
                "la escena {moment}",
                "eso se supo con cada respuesta. ¿Puede alguien calcularlo después?",
            ),
            "lost_messages": (
                "la conversación entera",
                "no está en lo que volvió, o está distinta",
                "la escena {moment}",
                "el modelo va a saber lo que diga esa lista, y nada más.",
            ),
            "lost_call": (
                "la llamada a `{name}`, con su id, su nombre y sus datos",
                "no está entera en lo que volvió",
                "la escena {moment}",
                "¿cómo sabrá el proceso nuevo que quedó algo a medias, y con qué datos?",
            ),
            "secret": (
                "nada de la clave de la API",
                "aparece en lo que devolviste",
                "la escena {moment}",
                "ese archivo lo va a leer quien mire por qué murió la tarea, y quizá alguien más.",
            ),
            "as_text": (
                "nada del cliente ni de las herramientas",
                "un texto que dice cómo se llama un objeto de este proceso",
                "la escena {moment}",
                "¿de qué le sirve a otro proceso el nombre de un objeto de este?",
            ),
            "spoiled": (
                "la escena como estaba",
                "`{field}` cambió",
                "la escena {moment}",
                "el bucle sigue con esa escena un instante después. Arma lo tuyo aparte.",
            ),
        },
        "moments": {
            "saves": "con la escena {moment}",
        },
        "model": {
            "inventory": "Se perdieron `messages`: sin ella el modelo no sabe nada y pide otra vez la semana 1. "
            "`turns`: el tope de turnos empieza de cero. `tokensUsed`: nadie sabe cuánto se gastó ya. La llamada "
            "en curso: nadie sabe que se había pedido cerrar la semana 23. No se perdieron los 22 reportes, las "
            "dos notas de `NOTES.md` ni los 22 avisos.",
            "why": "La tarea, para saber qué se pidió y poder decirlo. La conversación, porque es todo lo que el "
            "modelo sabe. Los turnos y los tokens, para que los topes cuenten la tarea entera. La llamada en "
            "curso, para saber qué quedó a medias. El cliente y las herramientas los construye el proceso nuevo. "
            "La clave la toma de donde la tomó este; en un archivo la leería cualquiera.",
        },
    },
}
