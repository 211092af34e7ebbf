"""Files of layouts: seven lines per deal, one per column, after a line that names it."""

from collections.abc import Iterator

from app.engine import BadBoard, Board


def read_layouts(text: str) -> Iterator[tuple[str, Board]]:
    """Each layout of a file, with its name: what stands after ``#`` on the line above it, or its number in the file.

    Further ``#`` lines and empty lines are skipped; a line of foundations (``F: …``) may follow the columns.
    Raises BadBoard, with the name, for a layout that cannot be.
    """
    name, count = "", 0
    lines: list[str] = []
    for line in [*text.splitlines(), "#"]:
        if line.startswith("#"):
            if lines:
                count += 1
                yield _layout(name or str(count), lines)
                name, lines = "", []
            name = line[1:].strip()
        elif line.strip():
            if len(lines) >= 7 and not line.startswith("F:"):
                count += 1
                yield _layout(name or str(count), lines)
                name, lines = "", []
            lines.append(line)


def _layout(name: str, lines: list[str]) -> tuple[str, Board]:
    try:
        return name, Board.parse("\n".join(lines))
    except BadBoard as error:
        raise BadBoard(f"{name}: {error}") from None
