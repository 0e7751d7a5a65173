"""Executes the notebooks against the stack of QUERY_URL and DATA_TOKEN. Needs nbclient and ipykernel.

python run.py           compares the outputs with those in the files; exit code 1 if they differ
python run.py --update  writes the outputs into the files
"""

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def outputs(notebook: nbformat.NotebookNode) -> list[str]:
    """The printed text of each cell."""
    return ["".join(one.get("text", "") for one in cell.get("outputs", [])) for cell in notebook.cells]


def main() -> int:
    is_update = "--update" in sys.argv[1:]
    has_difference = False
    for path in sorted(Path(__file__).parent.glob("*.ipynb")):
        stored = nbformat.read(path, as_version=4)
        executed = nbformat.from_dict(json.loads(json.dumps(stored)))
        NotebookClient(executed, timeout=600, kernel_name="python3").execute()
        for before, after, cell in zip(outputs(stored), outputs(executed), executed.cells):
            cell.metadata.pop("execution", None)
            if before != after and not is_update:
                has_difference = True
                print(f"{path.name}, cell {cell.id}: the file has\n{before}\nbut the stack gives\n{after}")
        if is_update:
            # The version of the kernel differs between machines.
            executed.metadata["language_info"] = {"name": "python"}
            path.write_text(json.dumps(executed, indent=1, ensure_ascii=False) + "\n")
        print(f"{path.name}: executed")
    return 1 if has_difference else 0


if __name__ == "__main__":
    sys.exit(main())
