# The server as an image: a wheel and its dependencies, nothing else, run by a user that owns /data alone.

FROM python:3.13-slim AS build
WORKDIR /source
RUN python -m venv --without-pip /opt/yukon
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY templates templates
COPY static static
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel . \
 && pip --python /opt/yukon/bin/python install --no-cache-dir "$(echo /wheel/*.whl)[metrics,redis]" \
 && mkdir /data \
 && /opt/yukon/bin/python -P -c "from app.solver import warm_up; warm_up()" \
 && ls /opt/yukon/lib/python3*/site-packages/app/solver/__pycache__/*.nbi > /dev/null

FROM python:3.13-slim
COPY --from=build /opt/yukon /opt/yukon
# A volume that is new takes over whose it is.
COPY --from=build --chown=10001:10001 /data /data
ENV PATH=/opt/yukon/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    YUKON_HOST=0.0.0.0 \
    YUKON_PORT=8000 \
    YUKON_STORE=sqlite:////data/yukon.db
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["python", "-c", "import http.client, os; c = http.client.HTTPConnection('127.0.0.1', int(os.environ['YUKON_PORT']), timeout=3); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
CMD ["yukon", "serve"]
