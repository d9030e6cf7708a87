import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import path from 'node:path'

/**
 * Makes another build of the product from the existing one. The pages are the same, but every script
 * has another name and the list of scripts another version. This is much faster than a second build.
 */
export function createOtherBuild(folder: string): void {
  mkdirSync(folder, { recursive: true })
  cpSync('build', path.join(folder, 'build'), { recursive: true })
  // Packages and migrations are found from where the program runs.
  for (const name of ['app', 'node_modules', 'package.json']) {
    symlinkSync(path.resolve(name), path.join(folder, name))
  }

  const assets = path.join(folder, 'build/client/assets')
  const names = readdirSync(assets).filter((name) => /-[\w-]{8}\.js$/.test(name))
  const version = /"version":"([0-9a-f]{8})"/.exec(
    readFileSync(
      path.join(assets, names.find((name) => name.startsWith('manifest-')) ?? ''),
      'utf8',
    ),
  )?.[1]
  const renamed = new Map(
    names.map((name) => [
      name,
      name.replace(/-[\w-]{8}\.js$/, (end) => `-${turned(end.slice(1, 9))}.js`),
    ]),
  )
  const rewrite = (text: string) => {
    let changed = text
    for (const [before, after] of renamed) {
      changed = changed.replaceAll(before, after)
    }

    return version ? changed.replaceAll(version, turned(version)) : changed
  }

  for (const place of [
    assets,
    path.join(folder, 'build/server'),
    path.join(folder, 'build/server/assets'),
  ]) {
    for (const name of readdirSync(place)) {
      const file = path.join(place, name)
      if (/\.js\.(br|gz)$/.test(name)) {
        renameSync(file, path.join(folder, name))
      } else if (name.endsWith('.js')) {
        writeFileSync(file, rewrite(readFileSync(file, 'utf8')))
      }
    }
  }

  for (const [before, after] of renamed) {
    renameSync(path.join(assets, before), path.join(assets, after))
  }
}

function turned(hash: string): string {
  return [...hash].reverse().join('')
}

/** Starts the build in `folder`. @returns stops it. */
export async function startBuild(
  folder: string,
  variables: Record<string, string>,
): Promise<() => Promise<void>> {
  const run = "import('./build/server/main.js').then(({ run }) => run())"
  const child = spawn('node', ['-e', run], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error', ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  await answering(child, `http://127.0.0.1:${variables.PORT}/healthz`)

  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
}

async function answering(child: ChildProcess, address: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error('The build stopped while starting.')
    }

    if ((await fetch(address).catch(() => null))?.ok) {
      return
    }

    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A round-robin proxy that can also answer requests itself. */
export class RoundRobinProxy {
  /** Its own responses instead of the product's; null passes the request on. */
  respond: (address: string, method: string) => { status: number; html: string } | null = () => null
  #server: Server
  #turn = 0

  constructor(ports: readonly number[]) {
    this.#server = createServer((request, response) => {
      const own = this.respond(request.url ?? '', request.method ?? '')
      if (own) {
        request.resume()
        response.writeHead(own.status, { 'Content-Type': 'text/html' }).end(own.html)
        return
      }

      const { method, url, headers } = request
      const port = ports[this.#turn++ % ports.length]
      const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      })
      onward.on('error', () => response.writeHead(502).end('<html>Bad gateway</html>'))
      request.pipe(onward)
    })
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
