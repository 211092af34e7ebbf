"""The command line: ``yukon serve``."""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from typing import Final

import click
import uvicorn
from fastapi import FastAPI

from app.service import GameService
from app.settings import Settings
from app.store import BadAddress, GameStore, StoreError, open_store
from app.web import create_app

DEFAULTS = Settings()

_WATCH: Final = 0.2  # seconds
_TURN: Final = 0.0005  # seconds until a thread that waits for Python's lock gets it


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="yukon-solitaire")
@click.pass_context
def main(context: click.Context) -> None:
    """Yukon Solitaire: a game server for the browser. Without a command: serve."""
    if context.invoked_subcommand is None:
        defaults = DEFAULTS
        context.invoke(serve, host=defaults.host, port=defaults.port, workers=defaults.workers, store=defaults.store)


@main.command()
@click.option("--host", default=DEFAULTS.host, show_default=True, help="The address to listen on.")
@click.option("--port", default=DEFAULTS.port, show_default=True, type=click.IntRange(0, 65535), help="The port.")
@click.option("--workers", default=DEFAULTS.workers, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--store", default=DEFAULTS.store, help="memory:, sqlite:///PATH (the default) or redis://…")
def serve(host: str, port: int, workers: int, store: str) -> None:
    """Serve the game until stopped."""
    found = _store(store)
    if workers > 1 and not found.is_shared:
        raise click.ClickException(
            f"{workers} processes can't share games in memory: use --workers 1, or a store like sqlite:///yukon.db"
        )
    try:
        asyncio.run(_try(found))
    except StoreError as error:
        raise click.ClickException(f"no games can be kept: {error}") from None
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Yukon is served at http://{shown}:{port} and keeps its games in {found.name} (stop with Ctrl+C)")
    os.environ["YUKON_STORE"] = store  # for ``application``, in this process or in others
    uvicorn.run(
        application() if workers == 1 else "app.cli:worker",
        factory=workers > 1,
        workers=workers,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,  # a request that never ends must not hold the server up
    )


def _store(address: str) -> GameStore:
    try:
        return open_store(address, Settings().expire_seconds)
    except BadAddress as error:
        raise click.ClickException(str(error)) from None


async def _try(store: GameStore) -> None:
    """Raises StoreError if games can't be kept there."""
    try:
        await store.open()
        await store.check()
    finally:
        await store.close()


def application() -> FastAPI:
    """The server as the settings want it."""
    _tune()
    settings = Settings()
    service = GameService(_store(settings.store), held=settings.held_games)
    return create_app(service, settings.expire_seconds)


def _tune() -> None:
    """What a server wants otherwise than other programs do."""
    # What is loaded now stays, and held games make no rings: looking through them for rubbish time and again, as Python
    # does by default, takes a seventh of the time of a move, and more with every game.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    # The thread that has just stored some moves needs the lock to say so; by default it waits ten times as long for it.
    sys.setswitchinterval(_TURN)


def worker() -> FastAPI:
    """The same as one of several processes, which ends with the one that started it.

    Else, were that one killed, the others would go on and keep the port from whoever is started in its place.
    """
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return application()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os.kill(os.getpid(), signal.SIGTERM)
