# Two stages: the first builds the wheel and the virtual environment, the second holds only what runs.
# Both have the same Python, since a virtual environment does not move between two. Of Debian's packages the
# release is pinned and no more: its security fixes are wanted.

FROM debian:trixie-slim AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements.lock requirements-build.lock ./
RUN python3 -m venv /opt/croupier \
    && python3 -m venv /opt/build \
    && /opt/croupier/bin/pip install --require-hashes --only-binary :all: -r requirements.lock \
    && /opt/build/bin/pip install --require-hashes --only-binary :all: -r requirements-build.lock
COPY . .
RUN /opt/build/bin/pip wheel --no-index --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/croupier/bin/pip install --no-index --no-deps /wheels/*.whl \
    && /opt/croupier/bin/pip uninstall --yes pip

FROM debian:trixie-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin croupier \
    && install --directory --owner=croupier --group=croupier --mode=0700 /data
COPY --from=build /opt/croupier /opt/croupier
# Nothing is written outside /data: the root file system may be mounted read-only.
ENV PATH=/opt/croupier/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /data
VOLUME /data
# In the environment, so that every command in the container finds the store and the check asks the right port.
ENV CROUPIER_HOST=0.0.0.0 CROUPIER_PORT=8080 CROUPIER_DATA=/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "from os import environ; from urllib.request import urlopen; urlopen(f'http://127.0.0.1:{environ[\"CROUPIER_PORT\"]}/healthz', timeout=3)"]
# The embedded Valkey is a child of the service: the init reaps it should the service die first. Stopping drains
# the tables before Valkey ends, so give the container a stop grace of at least 30 seconds.
ENTRYPOINT ["tini", "--", "croupier"]
CMD ["serve"]
