"""What the person who runs the server can set."""

import os
import re
from typing import Annotated, Final, Literal

import limits
from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX: Final = "YUKON_"


def is_rate(text: str) -> str:
    """``600/minute``, or empty for no limit. Raises ValueError."""
    if text:
        try:
            limits.parse(text)
        except ValueError:
            raise ValueError("a limit is given as 600/minute, or left empty for none") from None
    return text


def is_prefix(path: str) -> str:
    """A path without a slash at its end. Raises ValueError."""
    path = path.rstrip("/")
    if re.fullmatch(r"(/[\w.~-]+)*", path, re.ASCII) is None:
        raise ValueError("a path is given as /yukon")
    if path.split("/")[1:2] in (["play"], ["api"], ["static"]):
        raise ValueError("the server has addresses that begin so")
    return path


Rate = Annotated[str, AfterValidator(is_rate)]


class Settings(BaseSettings):
    """Read from the environment, each with the prefix ``YUKON_``."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    workers: Annotated[int, Field(ge=1)] = 1
    """How many processes serve."""
    store: str = "sqlite:///yukon.db"
    """Where games are kept: ``memory:``, ``sqlite:///PATH`` or ``redis://…``."""
    held_games: Annotated[int, Field(ge=1)] = 20_000
    """How many games each process holds in memory, besides the store; the others take a moment longer."""
    expire_days: Annotated[float, Field(ge=0)] = 400.0
    """After how many days a game is forgotten that nobody plays and nobody has won; 0: never."""

    root_path: Annotated[str, AfterValidator(is_prefix)] = ""
    """Under which path a proxy shows the server, such as ``/yukon``."""
    forwarded_allow_ips: str = Field(default_factory=lambda: os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"))
    """Addresses and networks of the proxies that are believed, with commas between; ``*``: everybody is."""
    hosts: str = "*"
    """The names under which the server is asked for, with commas between; ``*.example.org``: and all under it."""

    max_connections: Annotated[int, Field(ge=1)] = 10_000
    """How many connections each process has at once; over that: 503."""
    limit_requests: Rate = "6000/minute"
    """Of each client to each process."""
    limit_new_games: Rate = "3000/hour"
    """Of each client; a game is made by its first move."""
    limit_pictures: Rate = "120/minute"
    """Of each client; one takes as long as many moves."""
    limit_verdicts: Rate = "120/minute"
    """Of each client; each may take the solver's whole time for it."""
    solver_threads: Annotated[int | None, Field(ge=0)] = None
    """How many verdicts each process searches at a time; None: what leaves a core to the game; 0: none ever."""
    solver_seconds: Annotated[float, Field(gt=0)] = 2.0
    """For each verdict, at most."""
    solver_memory: Annotated[int, Field(ge=1)] = 256
    """Megabytes for each verdict that is searched, at most."""
    most_events: Annotated[int, Field(ge=1)] = 20_000
    """How many accepted changes a game may have."""
    most_games: Annotated[int, Field(ge=1)] = 10_000
    """How many games a player may have."""

    log: Literal["plain", "json"] = "plain"
    """``plain``: what went wrong, in words; ``json``: that and every request, each a line of JSON."""
    metrics: bool = False
    """``/metrics`` for Prometheus."""

    @property
    def searches(self) -> int:
        """How many verdicts each process searches at a time."""
        if self.solver_threads is not None:
            return self.solver_threads
        return max(1, ((os.cpu_count() or 1) - 1) // self.workers)

    @property
    def expire_seconds(self) -> float | None:
        return self.expire_days * 86_400 or None


DEFAULTS: Final = Settings.model_construct()
"""Whatever the environment says."""
