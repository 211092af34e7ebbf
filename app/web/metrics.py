"""Numbers for Prometheus, where they are asked for. Wants the extra ``metrics``."""

import os
from typing import Final

from fastapi import FastAPI
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from app.service import GameService

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Names the directory where several processes add up their numbers."""

_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Metrics:
    """What one process has done."""

    def __init__(self, service: GameService) -> None:
        self._service = service
        self._registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("yukon_requests", "Requests answered.", labels, registry=self._registry)
        self._seconds = Histogram(
            "yukon_request_seconds", "How long they took.", ("route",), buckets=_BUCKETS, registry=self._registry
        )
        self._held = Gauge("yukon_games_held", "Games in memory.", registry=self._registry, multiprocess_mode="livesum")

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        self._held.set(self._service.held)

    def text(self) -> bytes:
        """As Prometheus reads it: of all processes, where there are several."""
        registry = self._registry
        if SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)

    def install(self, app: FastAPI) -> None:
        """``/metrics``."""

        @app.get("/metrics", include_in_schema=False)
        async def read_metrics() -> Response:
            return Response(self.text(), media_type=CONTENT_TYPE_LATEST)
