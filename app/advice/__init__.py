"""Advice to players: between the service and the solver, which runs in a process of its own."""

from app.advice.advisor import Advisor, Hinted, Judged, NoneCertified, Traced
from app.advice.process import Status, Verdict

__all__ = ["Advisor", "Hinted", "Judged", "NoneCertified", "Status", "Traced", "Verdict"]
