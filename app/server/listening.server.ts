import { createServer, type RequestListener, type Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StartError } from './env.server'

export type Listening = {
  /** From now on each answer ends its connection, so that a proxy's next request begins one elsewhere. */
  endConnections(): void
  /** Takes no more connections, and waits for requests under way, but not for ever. */
  close(): Promise<void>
}

/**
 * Longer than a proxy keeps a connection that nobody uses (nginx 60 s), or it asks on one that was just closed: a 502.
 */
const keepAliveMs = 75_000
const lookEveryMs = 50
const quietMs = 1
const longestHoldMs = 1_000

/** @throws {StartError} if the port is taken. */
export async function listenOn(
  { hosts, port, patienceMs = 10_000 }: { hosts: readonly string[]; port: number; patienceMs?: number },
  listener: RequestListener,
): Promise<Listening> {
  let ending = false
  let holding = false
  const held: (() => void)[] = []
  const servers = await Promise.all(
    hosts.map((host) =>
      open(host, port, (request, response) => {
        if (ending) response.shouldKeepAlive = false
        if (holding) held.push(() => listener(request, response))
        else listener(request, response)
      }),
    ),
  )
  const endConnections = () => {
    ending = true
  }
  return {
    endConnections,
    async close() {
      endConnections()
      // Requests wait meanwhile, so that work on them keeps no other connection in the system's queue.
      holding = true
      await quietTurn(servers)
      const closed = servers.map((server) => server && close(server, patienceMs))
      holding = false
      for (const answer of held) answer()
      await Promise.all(closed)
    },
  }
}

function open(host: string, port: number, listener: RequestListener): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: keepAliveMs }, listener)
    server.once('listening', () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      const noSuchAddress = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'
      if (noSuchAddress && host === '::1') resolve(null)
      else if (error.code === 'EADDRINUSE') reject(new StartError(`Port ${port} is in use. Set PORT to a free one.`))
      else reject(error)
    })
    server.listen(port, host)
  })
}

/**
 * Waits for a short turn in which no connection came: those that wait in the system's queue when a server closes are lost,
 * which a proxy answers with 502. A turn may take only one of them.
 */
async function quietTurn(servers: readonly (Server | null)[]): Promise<void> {
  let came = 0
  for (const server of servers) server?.on('connection', () => came++)
  await nextTurn()
  for (const until = performance.now() + longestHoldMs; performance.now() < until; ) {
    const [before, begun] = [came, performance.now()]
    await nextTurn()
    if (came === before && performance.now() - begun < quietMs) return
  }
}

/** Stops listening at once. */
function close(server: Server, patienceMs: number): Promise<void> {
  return new Promise<void>((resolve) => {
    // A connection whose answer had begun before ends as soon as it is idle.
    const look = setInterval(() => server.closeIdleConnections(), lookEveryMs)
    const giveUp = setTimeout(() => server.closeAllConnections(), patienceMs)
    server.close(() => {
      clearInterval(look)
      clearTimeout(giveUp)
      resolve()
    })
    server.closeIdleConnections()
  })
}
