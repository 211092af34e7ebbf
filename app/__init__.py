"""Yukon Solitaire: played in a browser, held and judged on the server."""
