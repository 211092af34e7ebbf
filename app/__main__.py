"""``python -m app`` is ``yukon``."""

from app.cli import main

main(prog_name="yukon")
