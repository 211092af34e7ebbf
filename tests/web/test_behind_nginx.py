"""Behind a real nginx with TLS, under a path and at the root, in the configuration that is shipped."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.example import CODE, MOVES
from tests.store.live import Server, serving
from tests.store.redis_server import free_port

ROOT: Final = Path(__file__).parents[2]
NGINX: Final = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
SHIPPED: Final = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")

MAIN: Final = """
{user} daemon off; pid {here}/pid; error_log {here}/errors.log; worker_processes 1;
events {{ worker_connections 200; }}
http {{
    access_log off;
    client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi; scgi_temp_path {here}/scgi;
    include {here}/site.conf;
}}
"""


def need(program: str | None, name: str) -> None:
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"there is no {name}, and CI tests everything")
        pytest.skip(f"there is no {name} (Debian: apt-get install nginx-light openssl)")


@pytest.fixture(params=["", "/yukon", "/yukon, cut off"], ids=["at-the-root", "under-a-path", "path-cut-off"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a site of two processes behind nginx."""
    need(NGINX, "nginx")
    need(shutil.which("openssl"), "openssl")
    prefix, _, is_cut_off = request.param.partition(", ")
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    make += ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    subprocess.run(make, check=True, capture_output=True)
    places = f"sqlite:///{tmp_path}/yukon.db"
    servers = [Server(places, root_path=prefix, hosts="localhost") for _ in range(2)]
    plain, secure = free_port(), free_port()
    changes = {
        "app1:8000": f"127.0.0.1:{servers[0].port}",
        "app2:8000": f"127.0.0.1:{servers[1].port}",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        "/etc/nginx/certs": str(tmp_path),
        "location / {": f"location {prefix}/ {{",
        "proxy_pass http://yukon;": f"proxy_pass http://yukon{'/' if is_cut_off else ''};",
    }
    conf = SHIPPED
    for old, new in changes.items():
        assert old in conf
        conf = conf.replace(old, new)
    user = "user root;" if os.geteuid() == 0 else ""  # else it could not write what it buffers
    (tmp_path / "site.conf").write_text(conf, encoding="utf-8")
    (tmp_path / "nginx.conf").write_text(MAIN.format(here=tmp_path, user=user), encoding="utf-8")
    with serving(*servers):
        nginx = subprocess.Popen([NGINX or "", "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path)])
        try:
            address = f"https://localhost:{secure}{prefix}"
            wait_for(f"{address}/healthz", nginx)
            yield address
        finally:
            nginx.terminate()
            nginx.wait(10)


def wait_for(address: str, nginx: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            if httpx.get(address, verify=False).status_code == 200:  # noqa: S501 - its certificate is our own
                return
        except httpx.TransportError:
            pass
        assert nginx.poll() is None, "nginx ended at once"
        assert time.monotonic() < until, "nginx doesn't answer"
        time.sleep(0.05)


def test_a_game_is_played_through_nginx(site: str) -> None:
    origin, prefix = re.fullmatch(r"(https://[^/]+)(.*)", site).groups()  # type: ignore[union-attr]
    browser = {"origin": origin, "accept-language": "nl"}  # an older one; those of today say sec-fetch-site
    with httpx.Client(base_url=origin, verify=False, headers=browser, timeout=30) as client:  # noqa: S501
        # In: a redirect stays on the site, its name, its TLS and its path.
        home = client.get(f"{prefix}/")
        assert home.status_code == 303
        assert re.fullmatch(rf"{prefix}/play/YU1-C-\w{{7}}", home.headers["location"])
        page = client.get(f"{prefix}/play/{CODE}")
        assert page.status_code == 200
        assert page.headers["strict-transport-security"]
        assert re.search(rf'"{re.escape(site)}/play/{CODE}/picture\.png"', page.text), "the link picture is absolute"
        linked = set(re.findall(r'(?:href|src|action|hx-\w+)="(/[^"#]*)', page.text))
        assert linked
        assert all(address.startswith(f"{prefix}/") for address in linked)
        # All that the page names is there, compressed, kept for ever, and not sent twice.
        for address in sorted(address for address in linked if "/static/" in address):
            file = client.get(address)
            assert file.status_code == 200
            assert "immutable" in file.headers["cache-control"]
            again = client.get(address, headers={"if-none-match": file.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            if address.endswith((".js", ".css")):
                assert file.headers["content-encoding"] == "br"
        # Moves, over two processes in turn; with htmx and without.
        for rev, move in enumerate(MOVES[:6]):
            card, to = move.split(">")
            form = {"card": card, "to": to, "rev": str(rev)}
            address = f"{prefix}/play/{CODE}/move"
            if rev % 2:
                assert client.post(address, data=form, headers={"hx-request": "true"}).status_code == 200
                continue
            moved = client.post(address, data=form)
            assert (moved.status_code, moved.headers["location"]) == (303, f"{prefix}/play/{CODE}")
            if rev == 0:
                assert "; Secure" in moved.headers["set-cookie"]
                assert f"Path={prefix or '/'};" in moved.headers["set-cookie"]
        assert 'data-rev="6"' in client.get(f"{prefix}/play/{CODE}").text
        made = client.post(f"{prefix}/api/v1/games", json={"code": CODE})
        assert client.get(made.headers["location"]).json()["code"] == CODE
        # What nobody may.
        evil = client.post(f"{prefix}/play/{CODE}/undo", data={"rev": "6"}, headers={"origin": "https://evil.test"})
        assert (evil.status_code, "andere site" in evil.text) == (403, True)
        large = client.post(f"{prefix}/new", content=b"code=" + b"A" * 20_000)
        assert (large.status_code, 'lang="nl"' in large.text) == (413, True)
        assert client.get(f"{prefix}/play/{CODE}", headers={"host": "evil.test"}).status_code == 400
        assert client.get("/metrics").status_code == 404
        one, other = (client.get(f"{prefix}/faq", headers={"x-request-id": "mine"}) for _ in range(2))
        assert one.headers["x-request-id"] != other.headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", one.headers["x-request-id"]), "it is nginx's own"
