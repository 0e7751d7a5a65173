# Lets Schemathesis send the line formats of the ingestion service. Their schema is a string, which is the body; values
# of other types, which it generates as invalid bodies, are sent as JSON.
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/jsonl")
def lines(ctx, value):
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.encode("utf-8", errors="replace")
