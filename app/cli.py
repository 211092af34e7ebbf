"""The command line: ``yukon serve | deal | solve | study``."""

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

import click
import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError
from uvicorn.supervisors import Multiprocess

from app import commands, logs
from app.service import GameService
from app.settings import DEFAULTS, PREFIX, Settings
from app.store import BadAddress, GameStore, StoreError, open_store
from app.web import create_app
from app.web.connections import GuardedProtocol

_WATCH: Final = 0.2  # seconds
_TURN: Final = 0.0005  # seconds until a thread that waits for Python's lock gets it
_OTHER_FILES: Final = 200
_BACKLOG: Final = 2048  # connections that wait to be accepted


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="yukon-solitaire")
@click.pass_context
def main(context: click.Context) -> None:
    """Yukon Solitaire: a game server for the browser. Without a command: serve."""
    if context.invoked_subcommand is None:
        context.invoke(serve)


@main.command()
@click.option("--host", help=f"The address to listen on; {DEFAULTS.host} unless given.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"The port; {DEFAULTS.port} unless given. 0: any.")
@click.option("--workers", type=click.IntRange(1), help=f"How many processes; {DEFAULTS.workers} unless given.")
@click.option("--store", help=f"memory:, sqlite:///PATH or redis://…; {DEFAULTS.store} unless given.")
@click.option("--root-path", help="The path under which a proxy shows the server, such as /yukon.")
@click.option(
    "--forwarded-allow-ips",
    help="The proxies that are believed: addresses and networks, with commas between; 127.0.0.1 unless given.",
)
def serve(**flags: str | int | None) -> None:
    """Serve the game until stopped. What no flag says the variables YUKON_… say, see the README."""
    settings = _settings({name: value for name, value in flags.items() if value is not None})
    store = _store(settings)
    if settings.workers > 1 and not store.is_shared:
        raise click.ClickException(
            f"{settings.workers} processes can't share games in memory: "
            "use --workers 1, or a store like sqlite:///yukon.db"
        )
    try:
        asyncio.run(_try(store))
    except StoreError as error:
        raise click.ClickException(f"no games can be kept: {error}") from None
    if settings.metrics and find_spec("prometheus_client") is None:
        raise click.ClickException("metrics want the extra of that name: pip install 'yukon-solitaire[metrics]'")
    with _listen(settings) as listener, _numbers(settings):
        where = f"http://{_shown(settings.host)}:{listener.getsockname()[1]}{settings.root_path}"
        click.echo(f"Yukon is served at {where} and keeps its games in {store.name} (stop with Ctrl+C)")
        # For ``worker``, in a process of its own.
        os.environ.update({f"{PREFIX}{name.upper()}": str(flags[name]) for name in flags if flags[name] is not None})
        _run(settings, listener)


def _settings(flags: dict[str, str | int]) -> Settings:
    try:
        return Settings(**flags)  # type: ignore[arg-type]  # it checks them
    except ValidationError as error:
        wrong = [
            f"{PREFIX}{str(one['loc'][0]).upper()}: {one['msg'].removeprefix('Value error, ')}"
            for one in error.errors()
        ]
        raise click.ClickException("; ".join(wrong)) from None


def _store(settings: Settings) -> GameStore:
    try:
        return open_store(settings.store, settings.expire_seconds)
    except BadAddress as error:
        raise click.ClickException(str(error)) from None


async def _try(store: GameStore) -> None:
    """Raises StoreError if games can't be kept there."""
    try:
        await store.open()
        await store.check()
    finally:
        await store.close()


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listen(settings: Settings) -> socket.socket:
    """A socket that listens already: whoever comes before the application is ready waits for it."""
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        reason = "something else listens there" if error.errno == errno.EADDRINUSE else error.strerror
        raise click.ClickException(f"can't listen at {_shown(settings.host)}:{settings.port}: {reason}") from None
    listener.set_inheritable(True)
    return listener


@contextlib.contextmanager
def _numbers(settings: Settings) -> Iterator[None]:
    """A place where several processes add up their numbers for Prometheus."""
    if not settings.metrics or settings.workers == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="yukon-") as directory:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory  # before its library is loaded, which looks only then
        yield


def _allow_files(connections: int) -> None:
    """So many open connections, as far as the system lets us: each is a file to it, and 1024 is a common default."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _run(settings: Settings, listener: socket.socket) -> None:
    """Until stopped."""
    _allow_files(settings.max_connections)
    several = settings.workers > 1
    config = uvicorn.Config(
        "app.cli:worker" if several else application(settings),
        factory=several,
        workers=settings.workers,
        log_level="warning",
        log_config=logs.config(settings.log),
        access_log=False,
        server_header=False,
        proxy_headers=False,  # see app.web.proxy
        limit_concurrency=settings.max_connections,
        http=GuardedProtocol,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=5,  # a request that never ends must not hold the server up
    )
    with contextlib.suppress(KeyboardInterrupt):
        if several:
            Multiprocess(config, sockets=[listener]).run()
            return
        server = uvicorn.Server(config)
        server.run(sockets=[listener])
        if not server.started:
            raise SystemExit(1)


def application(settings: Settings) -> FastAPI:
    """The server as the settings want it."""
    _tune()
    service = GameService(
        _store(settings),
        held=settings.held_games,
        most_events=settings.most_events,
        most_games=settings.most_games,
    )
    return create_app(service, settings, warm_up=True)


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
    return application(Settings())


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os.kill(os.getpid(), signal.SIGTERM)


for command in (commands.show_deal, commands.solve_deals, commands.study):
    main.add_command(command)
