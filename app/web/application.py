"""The application, put together."""

from fastapi import FastAPI
from fastapi.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app.service import GameService
from app.web import api, assets, errors, guide, pages, picture, play
from app.web.security import BodyLimit, SecurityHeaders


def create_app(service: GameService | None = None) -> FastAPI:
    """A server around one service; a new, empty one unless given."""
    if service is None:
        service = GameService()
    app = FastAPI(
        title="Yukon",
        summary="Yukon Solitaire: deals, games and moves.",
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its pages load their code from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=6),
            Middleware(BodyLimit),
        ],
    )
    # Straight on the app: a router included in it costs each request as much as a move does.
    api.install(app, service)
    play.install(app, service)
    pages.install(app, service)
    picture.install(app)
    guide.install(app)
    app.mount(assets.MOUNT, assets.Assets(), name="static")
    errors.install(app)
    return app
