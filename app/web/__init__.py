"""How people and programs reach the game: pages with htmx, and a JSON API."""

from app.web.application import create_app

__all__ = ["create_app"]
