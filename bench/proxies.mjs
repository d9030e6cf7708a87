/** Real proxies with TLS in front of processes of the product: the documented files with ports and certificates of a run. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { documented } from './documented.mjs'
import { selfSignedCertificate } from './self-signed-certificate.mjs'

/** @typedef {{ folder: string, ports: readonly number[], tlsPort: number, plainPort: number }} Place */

/** @type {Record<string, { program: string, prepare(place: Place): string[] }>} */
const proxies = {
  nginx: { program: 'nginx', prepare: prepareNginx },
  caddy: { program: 'caddy', prepare: prepareCaddy },
  haproxy: { program: 'haproxy', prepare: prepareHaproxy },
}
export const proxyNames = Object.keys(proxies)

/** @returns what to install, or null if it is there. */
export function findMissingProxy(name) {
  const { program } = proxies[name]
  return spawnSync(program, ['version'], { stdio: 'ignore' }).error ? program : null
}

/**
 * @param {string} name one of `proxyNames`
 * @param {Place} place
 * @returns what stops it.
 */
export async function startProxy(name, place) {
  const { key, cert } = selfSignedCertificate('school.example')
  writeFileSync(path.join(place.folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(path.join(place.folder, 'cert.pem'), cert)
  writeFileSync(path.join(place.folder, 'both.pem'), cert + key, { mode: 0o600 })
  const { program, prepare } = proxies[name]
  const env = { ...process.env, HOME: place.folder }
  const child = spawn(program, prepare(place), { env, stdio: ['ignore', 'inherit', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 0; child.exitCode === null && !(await isOpen(place.tlsPort)); tries++) {
    assert.ok(tries < 200, `${name} does not listen: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(child.exitCode, null, `${name} did not start: ${said}`)
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

function prepareNginx({ folder, ports, tlsPort, plainPort }) {
  const servers = documented('nginx.conf', [
    ['127.0.0.1:3000', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports[1]}`],
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
    ['https://school.example$', `https://school.example:${tlsPort}$`],
    [/\/etc\/ssl\/\S+fullchain\.pem/, path.join(folder, 'cert.pem')],
    [/\/etc\/ssl\/\S+privkey\.pem/, path.join(folder, 'key.pem')],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const file = path.join(folder, 'nginx.conf')
  // The least that nginx needs around it.
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary.join(' ')} ${servers} }`,
  )
  return ['-p', folder, '-c', file, '-e', `${folder}/error.log`]
}

function prepareCaddy({ folder, ports, tlsPort, plainPort }) {
  const site = documented('Caddyfile', [
    ['127.0.0.1:3000', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports[1]}`],
    ['school.example {', `school.example {\n\ttls ${folder}/cert.pem ${folder}/key.pem\n\tbind 127.0.0.1`],
  ])
  const file = path.join(folder, 'Caddyfile')
  const ownPorts = `http_port ${plainPort}\n\thttps_port ${tlsPort}`
  writeFileSync(file, `{\n\tadmin off\n\t${ownPorts}\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${site}`)
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

/** With its own defaults: a check each two seconds, three of which have to fail. */
function prepareHaproxy({ folder, ports, tlsPort, plainPort }) {
  const file = path.join(folder, 'haproxy.cfg')
  const servers = ports.map((port, index) => `  server learnify-${index} 127.0.0.1:${port} check`)
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option forwardfor
frontend tls
  bind 127.0.0.1:${tlsPort} ssl crt ${folder}/both.pem alpn h2,http/1.1
  default_backend learnify
frontend plain
  bind 127.0.0.1:${plainPort}
  http-request redirect location https://school.example:${tlsPort}%[capture.req.uri]
backend learnify
  option httpchk GET /readyz
  option redispatch
${servers.join('\n')}
`,
  )
  return ['-db', '-f', file]
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
