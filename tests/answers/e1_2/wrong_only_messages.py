# values: lost_task
# takes the conversation for all there is


def what_to_save(scene):
    return {"messages": scene["messages"]}
