"""Measurements, each beside a named baseline of the same run: ``python -m tests.bench.bench_engine`` and so on.

A machine is never quiet, so a rate says little by itself: look at the ratios.
"""
