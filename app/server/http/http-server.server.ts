import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { StartError } from '../env.server'
import { refusalHeaders } from './response-headers.server'

export type HttpServer = {
  /**
   * Lets each response close its connection from now on, so that a proxy sends its next request to
   * another process.
   */
  closeConnectionsAfterResponses(): void
  /**
   * Accepts no more connections, and waits up to `closeTimeoutMs` for the requests that are being
   * handled. Calling it twice has no further effect.
   */
  close(): Promise<void>
}

const serverOptions = {
  /**
   * This is longer than a proxy keeps an idle connection (60 seconds in nginx). Otherwise the proxy
   * could send a request on a connection that was just closed, and respond with 502.
   */
  keepAliveTimeout: 75_000,
  /** The time limits for receiving the headers of a request, and the whole request. */
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
}

/** A request with more headers is refused. Browsers and proxies send fewer. */
const maxHeaders = 100

/**
 * Listens on a port of several network interfaces.
 *
 * @throws {StartError} if the port is in use
 */
export async function listen(
  {
    hosts,
    port,
    closeTimeoutMs = 10_000,
  }: { hosts: readonly string[]; port: number; closeTimeoutMs?: number },
  listener: RequestListener,
): Promise<HttpServer> {
  const requests = trackRequests(listener)
  const serversByHost = await Promise.all(
    hosts.map((host) => listenOnHost(host, port, requests.listener)),
  )
  const servers = serversByHost.filter((server) => server !== null)

  const close = async () => {
    requests.closeConnectionsAfterResponses()
    const closedServers = servers.map((server) => once(server, 'close'))
    for (const server of servers) {
      server.close()
    }

    await requests.waitUntilIdle(closeTimeoutMs)

    // The remaining connections are idle, or their request takes too long.
    for (const server of servers) {
      server.closeAllConnections()
    }

    await Promise.all(closedServers)
  }

  let closing: Promise<void> | undefined

  return {
    closeConnectionsAfterResponses: requests.closeConnectionsAfterResponses,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Wraps a listener, so that the requests that are being handled are counted. */
function trackRequests(listener: RequestListener) {
  let shouldCloseConnections = false
  let runningRequests = 0
  let onIdle = () => {}

  const countedListener: RequestListener = (request, response) => {
    runningRequests += 1
    if (shouldCloseConnections) {
      response.setHeader('Connection', 'close')
    }

    response.once('close', () => {
      runningRequests -= 1
      if (runningRequests === 0) {
        onIdle()
      }
    })

    // Names and values are separate entries of `rawHeaders`.
    if (request.rawHeaders.length <= 2 * maxHeaders) {
      listener(request, response)
    } else {
      response.writeHead(431, { ...refusalHeaders, Connection: 'close' }).end()
    }
  }

  return {
    listener: countedListener,
    /** Lets each response close its connection from now on. */
    closeConnectionsAfterResponses() {
      shouldCloseConnections = true
    },
    /** Waits until no request is being handled, or until the timeout. */
    waitUntilIdle(timeoutMs: number): Promise<void> {
      return new Promise((resolve) => {
        onIdle = resolve
        if (runningRequests === 0) {
          resolve()
        }

        setTimeout(resolve, timeoutMs).unref()
      })
    },
  }
}

/**
 * Listens on one network interface. Returns null if this machine has no IPv6 loopback interface.
 */
function listenOnHost(
  host: string,
  port: number,
  listener: RequestListener,
): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer(serverOptions, listener)
    // With a limit, Node.js silently drops the last headers, among them those that a proxy has
    // added. A request through a proxy would then look like a request from this machine.
    server.maxHeadersCount = 0
    server.once('listening', () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hasNoSuchInterface = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'
      if (hasNoSuchInterface && host === '::1') {
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
