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
 * Creates another build of the product from the existing one, as a deployment of changed scripts
 * would. The pages are the same, but every script has another name and the route manifest another
 * version. Copying and renaming is much faster than a second build.
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
  const version = readManifestVersion(assets, names)
  const newNames = new Map(
    names.map((name) => [
      name,
      name.replace(/-[\w-]{8}\.js$/, (end) => `-${reverse(end.slice(1, 9))}.js`),
    ]),
  )
  const rewriteNames = (text: string) => {
    let rewrittenText = text
    for (const [oldName, newName] of newNames) {
      rewrittenText = rewrittenText.replaceAll(oldName, newName)
    }

    return rewrittenText.replaceAll(version, reverse(version))
  }

  for (const scriptFolder of [
    assets,
    path.join(folder, 'build/server'),
    path.join(folder, 'build/server/assets'),
  ]) {
    for (const name of readdirSync(scriptFolder)) {
      const file = path.join(scriptFolder, name)
      if (/\.js\.(br|gz)$/.test(name)) {
        renameSync(file, path.join(folder, name))
      } else if (name.endsWith('.js')) {
        writeFileSync(file, rewriteNames(readFileSync(file, 'utf8')))
      }
    }
  }

  for (const [oldName, newName] of newNames) {
    renameSync(path.join(assets, oldName), path.join(assets, newName))
  }
}

function readManifestVersion(assets: string, names: readonly string[]): string {
  const manifestName = names.find((name) => name.startsWith('manifest-'))
  if (manifestName === undefined) {
    throw new Error('The build has no route manifest.')
  }

  const manifest = readFileSync(path.join(assets, manifestName), 'utf8')
  const version = /"version":"([0-9a-f]{8})"/.exec(manifest)?.[1]
  if (version === undefined) {
    throw new Error(`${manifestName} has no version.`)
  }

  return version
}

function reverse(hash: string): string {
  return [...hash].reverse().join('')
}

/** Starts the build in `folder`. Returns a function that stops it. */
export async function startBuild(
  folder: string,
  variables: Record<string, string>,
): Promise<() => Promise<void>> {
  const run = "import('./build/server/main.js').then(({ run }) => run())"
  const child = spawn('node', ['-e', run], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error', ...variables },
    // The log has errors only, which explain a journey that fails.
    stdio: ['ignore', 'inherit', 'inherit'],
  })

  await waitForResponse(child, `http://127.0.0.1:${variables.PORT}/healthz`)

  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
}

async function waitForResponse(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error('The build stopped while starting.')
    }

    const response = await fetch(url).catch(() => null)
    if (response?.ok) {
      return
    }

    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A round-robin proxy that can also answer requests itself. */
export class RoundRobinProxy {
  /** Returns the proxy's own response, or null to forward the request to the product. */
  respond: (path: string, method: string) => { status: number; html: string } | null = () => null
  /** The ports of the products that take turns. */
  ports: readonly number[]
  #server: Server
  #requestCount = 0

  constructor(ports: readonly number[]) {
    this.ports = ports
    this.#server = createServer((request, response) => {
      const ownResponse = this.respond(request.url ?? '', request.method ?? '')
      if (ownResponse) {
        request.resume()
        response
          .writeHead(ownResponse.status, { 'Content-Type': 'text/html' })
          .end(ownResponse.html)
        return
      }

      const { method, url, headers } = request
      const port = this.ports[this.#requestCount++ % this.ports.length]
      const upstreamRequest = forward(
        { host: '127.0.0.1', port, method, path: url, headers },
        (upstreamResponse) => {
          response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.rawHeaders)
          upstreamResponse.pipe(response)
        },
      )
      upstreamRequest.on('error', () => response.writeHead(502).end('<html>Bad gateway</html>'))
      request.pipe(upstreamRequest)
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
