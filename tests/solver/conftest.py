"""The tests of the solver run in one worker: it compiles once."""

import pytest

from app.solver import warm_up


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/solver" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("solver"))


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    warm_up()
