"""Plain routes: a request finds its endpoint, with all that it takes."""

from typing import Annotated

from fastapi import Depends, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.testclient import TestClient

from app.web import create_app
from app.web.routes import PlainRoute


def application() -> FastAPI:
    app = FastAPI()
    app.router.route_class = PlainRoute

    @app.post("/games/{id}/moves")
    async def move(request: Request, id: str) -> Response:
        return PlainTextResponse(f"{id} {(await request.body()).decode()}")

    @app.get("/games/{id}")
    async def look(id: str) -> Response:
        return PlainTextResponse(f"a look at {id}")

    @app.get("/games")
    async def search(request: Request, most: int, method: Annotated[str, Depends(lambda: "all")]) -> dict[str, str]:
        return {"most": f"{most + 1}", "method": method, "path": request.url.path}

    return app


api = TestClient(application())


def test_an_endpoint_gets_the_request_and_the_parts_of_its_path() -> None:
    assert api.post("/games/seven/moves", content="5H").text == "seven 5H"
    assert api.get("/games/seven").text == "a look at seven"


def test_an_endpoint_that_takes_more_gets_it_from_fastapi() -> None:
    assert api.get("/games", params={"most": 2}).json() == {"most": "3", "method": "all", "path": "/games"}
    assert api.get("/games", params={"most": "two"}).status_code == 422


def test_other_paths_and_methods_are_refused_as_ever() -> None:
    assert api.get("/elsewhere").status_code == 404
    assert api.get("/games/seven/moves").status_code == 405


def test_a_prefix_of_a_proxy_is_no_part_of_a_route() -> None:
    behind = TestClient(application(), root_path="/yukon")
    assert behind.get("/yukon/games/seven").text == "a look at seven"


def test_openapi_tells_of_plain_routes() -> None:
    told = api.get("/openapi.json").json()["paths"]["/games/{id}/moves"]["post"]
    assert told["parameters"] == [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "title": "Id"}}
    ]


def test_every_route_of_ours_is_plain() -> None:
    """Else one would silently cost what this saves: nothing but the request and the path may be taken."""
    routes = [route for route in create_app().routes if isinstance(route, PlainRoute)]
    assert len(routes) > 20
    for route in routes:
        assert not route.dependant.query_params, route.path
        assert route.body_field is None, route.path
