ANSWERS = {
    # Leer deja el mundo igual, aunque alguien cambie el archivo y la segunda vez se lea otra cosa. Depende de que la
    # lectura no dispare nada en otro sitio: un contador de visitas, un mensaje que pasa a «leído».
    "read_file": "same_world",
    "read_file_condition": "reads",
    # Ana recibe otro correo igual.
    "send_email": "other_world",
    "send_email_condition": "none",
    # La segunda vez encuentra el ticket que abrió la primera. Si alguien lo cerró en medio, abre otro.
    "ensure_ticket": "same_world",
    "ensure_ticket_condition": "finds",
    # Queda una línea de más, y quien cuente líneas contará mal.
    "append_log": "other_world",
    "append_log_condition": "none",
    # El valor es fijo. Si alguien puso otro en medio, la repetición pisa su cambio.
    "set_config": "same_world",
    "set_config_condition": "value",
    # La segunda vez da un error, y el mundo está como se quería: «no está» cuenta como hecho. Si alguien puso en medio
    # otro archivo con ese nombre, la repetición borra el suyo.
    "delete_file": "same_world",
    "delete_file_condition": "name",
}
