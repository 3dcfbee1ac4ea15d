"""What pydantic-ai shows a model, in the form that the tests read: one part after the other."""


def shown(messages):
    return [part for message in messages for each in message.parts for part in in_form(each)]


def in_form(part):
    match part.part_kind:
        case "user-prompt":
            yield {"user": part.content}
        case "text" if part.content:
            yield {"says": part.content}
        case "tool-call":
            yield {"call": {"id": part.tool_call_id, "tool": part.tool_name, "arguments": part.args_as_dict()}}
        case "tool-return":
            # As providers send it that have a mark for errors; the others wrap the same words.
            yield {"result": {"id": part.tool_call_id, "text": part.model_response_str(wrap_if_error=False)}}
        case "retry-prompt":
            yield {"result": {"id": part.tool_call_id, "text": part.model_response()}}
