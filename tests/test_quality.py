"""The checks of the code itself: style, form, types, and which module may import which."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CHECKS = {
    "style": [sys.executable, "-m", "ruff", "check", "."],
    "form": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "imports": [str(Path(sysconfig.get_path("scripts"), "lint-imports"))],
}


@pytest.mark.parametrize("check", CHECKS)
def test_quality(check: str) -> None:
    result = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
