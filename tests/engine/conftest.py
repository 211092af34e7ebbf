"""One profile for every test that hypothesis drives: as slow as the machine is, never flaky for it."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
