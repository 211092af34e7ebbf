"""Lighthouse's marks for the board, the rules and the examples, on its slow phone.

Wants Node.js with npm (Lighthouse 12.2.3 is fetched from the npm registry at the first run) and Chromium at
``/usr/bin/chromium`` or where the variable ``CHROMIUM`` says. Baseline: 100 in every category.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.bench.bench_socket import HOST, serving

LIGHTHOUSE: Final = "lighthouse@12.2.3"
PAGES: Final = ("/play/YU1-C-ABFHTIL", "/rules", "/examples")
FLAGS: Final = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
FIGURES: Final = ("largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "total-byte-weight")


def report(address: str, form: str) -> dict[str, Any]:
    """Lighthouse's own report. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        command = ["npx", "--yes", LIGHTHOUSE, address, "--quiet", "--output=json", f"--output-path={out}"]
        command += [f"--chrome-flags={FLAGS} --user-data-dir={folder}/profile", "--max-wait-for-load=20000"]
        if form == "desktop":
            command.append("--preset=desktop")
        environment = {**os.environ, "CHROME_PATH": os.environ.get("CHROMIUM", "/usr/bin/chromium")}
        for last in (False, False, True):  # now and then it misses the start of the page, and says so
            if not subprocess.run(command, check=last, env=environment, stdout=sys.stderr).returncode:
                break
        return dict(json.loads(out.read_text(encoding="utf-8")))


def main() -> None:
    with serving("game") as (port, _):
        site = f"http://{HOST}:{port}"
        for form in ("mobile", "desktop"):
            for page in PAGES:
                found = report(site + page, form)
                marks = {name: round(100 * part["score"]) for name, part in found["categories"].items()}
                figures = {name: found["audits"][name]["displayValue"] for name in FIGURES}
                print(f"{form:8} {page:22} {marks} {figures}")
                for name, audit in found["audits"].items():
                    if (
                        audit["score"] is not None
                        and audit["score"] < 0.9
                        and audit.get("scoreDisplayMode") == "binary"
                    ):
                        print(f"         - {name}: {audit['title']}")


if __name__ == "__main__":
    main()
