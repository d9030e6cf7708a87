# From the one archive that `npm run release` puts into release/; docs/install.md says how to run it, and what was not tried.
FROM debian:bookworm-slim AS unpack
ADD release/learnify-*-linux-x64.tar.gz /release/

FROM debian:bookworm-slim
RUN groupadd --gid 10001 learnify \
  && useradd --uid 10001 --gid learnify --home-dir /data --no-create-home --shell /usr/sbin/nologin learnify \
  && install --directory --owner=learnify --group=learnify --mode=700 /data
COPY --from=unpack /release/learnify-*/ /opt/learnify/
USER 10001:10001
# A container has a loopback of its own, where nobody else could ask.
ENV DATA_DIR=/data HOST=::
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=120s CMD ["/opt/learnify/bin/learnify", "alive"]
ENTRYPOINT ["/opt/learnify/bin/learnify"]
