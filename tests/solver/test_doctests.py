"""The examples in the solver's own pages hold."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["solving", "verdict", "interval"])
def test_every_example_holds(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"app.solver.{name}"))
    assert (bool(result.attempted), result.failed) == (True, 0)
