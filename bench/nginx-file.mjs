/** nginx as a measure: it sends one file, as it is, from memory. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './product.mjs'

const program = 'nginx'
export const hasNginx = !spawnSync(program, ['-v'], { stdio: 'ignore' }).error

/** @returns one process of nginx that answers everything with these bytes, as a page compressed with Brotli. */
export async function startNginx(body) {
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-nginx-'))
  const port = await freePort()
  writeFileSync(path.join(folder, 'page'), body)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 100000000; open_file_cache max=10; sendfile on; tcp_nopush on;
      ${temporary.join(' ')} types {} default_type text/html;
      server {
        listen 127.0.0.1:${port};
        root ${folder};
        add_header Content-Encoding br;
        location / { rewrite ^ /page break; }
      }
    }`,
  )
  const args = ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error('nginx stopped while starting.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
