"""ClickHouse from the PyPI packages chdb and chdb-core, driven over standard input and output.

A request is one line of JSON. A response is one line of JSON, then "length" bytes of data:
  {"id": 1, "call": "query", "connection": 1, "sql": "SELECT 1", "format": "CSV"}
  {"id": 1, "length": 2, "resultRows": 1, ...} or {"id": 1, "length": 0, "error": "Code: 60. ..."}
"""

import json
import os
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor

# Copies of the file descriptors, because 26.3 reads standard input to its end at an INSERT, and some
# versions print to standard output.
requests = os.fdopen(os.dup(0), "rb")
output = os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

# The package's __init__ imports pandas and pyarrow, which the engine does not need.
package = types.ModuleType("chdb")
package.__path__ = [sys.argv[1] + "/chdb"]
sys.modules["chdb"] = package
from chdb import _chdb  # noqa: E402

address = sys.argv[2]
connections = {}
streams = {}
output_lock = threading.Lock()


def counts(request, result):
    # Versions before 26.5 report written rows as result rows.
    is_insert = request.get("sql", "").lstrip().upper().startswith("INSERT")
    has_written = hasattr(result, "rows_written")
    written = result.rows_written if has_written else result.rows_read
    written_bytes = result.bytes_written if has_written else result.bytes_read
    return {
        "resultRows": result.rows_read(),
        "readRows": result.storage_rows_read(),
        "readBytes": result.storage_bytes_read(),
        "writtenRows": written() if is_insert else 0,
        "writtenBytes": written_bytes() if is_insert else 0,
    }


def connect(request):
    connections[request["connection"]] = _chdb.connect(address)


def close(request):
    connections.pop(request["connection"]).close()


def query(request):
    return connections[request["connection"]].query(request["sql"], request["format"])


def stream(request):
    connection = connections[request["connection"]]
    streams[request["connection"]] = connection.send_query(request["sql"], request["format"])


def fetch(request):
    number = request["connection"]
    return connections[number].streaming_fetch_result(streams[number])


def end_stream(request):
    number = request["connection"]
    result = streams.pop(number)
    if not request["isOver"]:
        connections[number].streaming_cancel_query(result)


calls = {
    "connect": connect,
    "close": close,
    "query": query,
    "stream": stream,
    "fetch": fetch,
    "endStream": end_stream,
}


def respond(request):
    header, data = {"id": request["id"]}, b""
    try:
        result = calls[request["call"]](request)
        if result is not None:
            data = result.bytes() or b""
            header.update(counts(request, result))
    except Exception as error:  # noqa: BLE001
        header["error"] = str(error)
    header["length"] = len(data)
    with output_lock:
        output.write(json.dumps(header).encode() + b"\n" + data)
        output.flush()


with ThreadPoolExecutor(max_workers=64) as pool:
    for line in requests:
        pool.submit(respond, json.loads(line))
