"""The command line: ``yukon serve | deal | solve | study``."""

import click
import uvicorn

from app import commands
from app.settings import Settings
from app.web import create_app

DEFAULTS = Settings()


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="yukon-solitaire")
@click.pass_context
def main(context: click.Context) -> None:
    """Yukon Solitaire: a game server for the browser. Without a command: serve."""
    if context.invoked_subcommand is None:
        context.invoke(serve, host=DEFAULTS.host, port=DEFAULTS.port)


@main.command()
@click.option("--host", default=DEFAULTS.host, show_default=True, help="The address to listen on.")
@click.option("--port", default=DEFAULTS.port, show_default=True, type=click.IntRange(0, 65535), help="The port.")
def serve(host: str, port: int) -> None:
    """Serve the game until stopped."""
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Yukon is served at http://{shown}:{port} (stop with Ctrl+C)")
    uvicorn.run(
        create_app(),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,  # a request that never ends must not hold the server up
    )


for command in (commands.show_deal, commands.solve_deals, commands.study):
    main.add_command(command)
