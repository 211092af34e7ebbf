"""What the person who runs the server can set."""

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Read from the environment, each with the prefix ``YUKON_``."""

    model_config = SettingsConfigDict(env_prefix="YUKON_", frozen=True)

    host: str = "127.0.0.1"
    port: int = 8000
