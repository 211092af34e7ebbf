"""The examples in the engine's own pages hold."""

import doctest
import importlib
import pkgutil

import pytest

import app.engine

MODULES = ["app.engine", *(f"app.engine.{module.name}" for module in pkgutil.iter_modules(app.engine.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_holds(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) >= 3
