import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { StartError } from '../env.server'
import { refusalHeaders } from './response-headers.server'

export type HttpServer = {
  /** From now on each answer ends its connection, so that a proxy's next request goes elsewhere. */
  drain(): void
  /**
   * Takes no more connections, and waits for the requests under way, up to `closeTimeoutMs`.
   * Idempotent.
   */
  close(): Promise<void>
}

const serverOptions = {
  /**
   * Longer than a proxy keeps an unused connection (nginx: 60 s), or it asks on one that was just
   * closed: a 502.
   */
  keepAliveTimeout: 75_000,
  /** From the start of a request to the end of its headers, and of its body. */
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
}

/** More than browsers and proxies send; the rest is refused. */
const mostHeaders = 100

/** @throws {StartError} if the port is taken. */
export async function listen(
  {
    hosts,
    port,
    closeTimeoutMs = 10_000,
  }: { hosts: readonly string[]; port: number; closeTimeoutMs?: number },
  listener: RequestListener,
): Promise<HttpServer> {
  let isDraining = false
  let underWay = 0
  let onIdle = () => {}
  const countedListener: RequestListener = (request, response) => {
    underWay += 1
    if (isDraining) {
      response.setHeader('Connection', 'close')
    }

    response.once('close', () => {
      underWay -= 1
      if (underWay === 0) {
        onIdle()
      }
    })

    if (request.rawHeaders.length <= 2 * mostHeaders) {
      listener(request, response)
    } else {
      response.writeHead(431, { ...refusalHeaders, Connection: 'close' }).end()
    }
  }

  const opened = await Promise.all(hosts.map((host) => open(host, port, countedListener)))
  const servers = opened.filter((server) => server !== null)
  const drain = () => {
    isDraining = true
  }
  const close = async () => {
    drain()
    const closed = servers.map((server) => once(server, 'close'))
    for (const server of servers) {
      server.close()
    }

    await new Promise<void>((resolve) => {
      onIdle = resolve
      if (underWay === 0) {
        resolve()
      }

      setTimeout(resolve, closeTimeoutMs).unref()
    })

    // The remaining connections have no request, or one that took too long.
    for (const server of servers) {
      server.closeAllConnections()
    }

    await Promise.all(closed)
  }
  let closing: Promise<void> | undefined

  return {
    drain,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** @returns null if the machine doesn't have this address. */
function open(host: string, port: number, listener: RequestListener): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer(serverOptions, listener)
    // With a limit Node.js drops the last headers, among them what a proxy added: strangers would
    // pass for someone here.
    server.maxHeadersCount = 0
    server.once('listening', () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      const noSuchAddress = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'
      if (noSuchAddress && host === '::1') {
        resolve(null)
      } else if (error.code === 'EADDRINUSE') {
        reject(new StartError(`Port ${port} is in use. Set PORT to a free one.`))
      } else {
        reject(error)
      }
    })

    server.listen(port, host)
  })
}
