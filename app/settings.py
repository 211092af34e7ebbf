"""What the person who runs the server can set."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Read from the environment, each with the prefix ``YUKON_``."""

    model_config = SettingsConfigDict(env_prefix="YUKON_", frozen=True)

    host: str = "127.0.0.1"
    port: int = 8000
    workers: Annotated[int, Field(ge=1)] = 1
    """How many processes serve."""
    store: str = "sqlite:///yukon.db"
    """Where games are kept: ``memory:``, ``sqlite:///PATH`` or ``redis://…``."""
    held_games: Annotated[int, Field(ge=1)] = 20_000
    """How many games each process holds in memory, besides the store; the others take a moment longer."""
    expire_days: Annotated[float, Field(ge=0)] = 400.0
    """After how many days a game is forgotten that nobody plays and nobody has won; 0: never."""

    @property
    def expire_seconds(self) -> float | None:
        return self.expire_days * 86_400 or None
