/** What Patroni and HAProxy are told; docs/scale.md says why. */

/** YAML includes JSON. */
export function patroniSettings({ node: { name, port, rest, data }, etcdPort, programs }) {
  const trust = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  return JSON.stringify({
    scope: 'learnify',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        // A primary that says nothing for so many seconds has lost its place.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        // A server that ended is not started again first: the standby is there.
        primary_start_timeout: 0,
        // A commit waits for the standby; while there is none, the primary goes on alone.
        synchronous_mode: true,
        synchronous_mode_strict: false,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, shared_buffers: '64MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: trust,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: programs,
      pgpass: `${data}.pgpass`,
      pg_hba: trust,
      parameters: { unix_socket_directories: '' },
      authentication: {
        superuser: { username: 'postgres', password: 'only-loopback' },
        replication: { username: 'replicator', password: 'only-loopback' },
      },
    },
  })
}

/** Connections go to the primary alone; visitors to processes that are ready, and while none is, to any that lives. */
export function balancerSettings({ nodes, webPorts, database, front }) {
  const processes = webPorts.map((port, index) => `  server process${index} 127.0.0.1:${port} check`).join('\n')
  const servers = nodes
    .map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`)
    .join('\n')
  return `global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
frontend database
  mode tcp
  bind 127.0.0.1:${database}
  default_backend primary
backend primary
  mode tcp
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
frontend visitors
  mode http
  bind 127.0.0.1:${front}
  use_backend ready if { nbsrv(ready) gt 0 }
  default_backend alive
backend ready
  mode http
  option httpchk GET /readyz
  option redispatch
  default-server inter 1s fall 2 rise 1
${processes}
backend alive
  mode http
  option httpchk GET /healthz
  option redispatch
  default-server inter 1s fall 2 rise 1
${processes}
`
}
