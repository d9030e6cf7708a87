import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
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
const shortTurnMs = 1
/** At first a tenth of it has to be quiet, then less and less. */
const holdMs = 500
const longestHoldMs = 2_000
const silentMs = 500

/** @throws {StartError} if the port is taken. */
export async function listenOn(
  { hosts, port, patienceMs = 10_000 }: { hosts: readonly string[]; port: number; patienceMs?: number },
  listener: RequestListener,
): Promise<Listening> {
  let ending = false
  let holding = false
  const held: (() => void)[] = []
  const connections = new Connections()
  const opened = await Promise.all(
    hosts.map((host) =>
      open(host, port, connections, (request, response) => {
        if (ending) response.shouldKeepAlive = false
        if (holding) held.push(() => listener(request, response))
        else listener(request, response)
      }),
    ),
  )
  const servers = opened.filter((server) => server !== null)
  const endConnections = () => {
    ending = true
  }
  return {
    endConnections,
    async close() {
      endConnections()
      // Requests wait meanwhile, so that work on them keeps no other connection in the system's queue.
      holding = true
      await connections.untilQuiet()
      const closed = servers.map(stopListening)
      holding = false
      for (const answer of held.splice(0)) answer()
      await untilEnded(servers, connections, closed, patienceMs)
    },
  }
}

/** @returns null where the machine has no such address. */
function open(host: string, port: number, connections: Connections, listener: RequestListener): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: keepAliveMs }, listener)
    server.on('connection', (socket) => connections.add(socket))
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

class Connections {
  /** With the time at which each came. */
  readonly #open = new Map<Socket, number>()
  #lastAt = 0

  add(socket: Socket): void {
    this.#lastAt = performance.now()
    this.#open.set(socket, this.#lastAt)
    socket.once('close', () => this.#open.delete(socket))
  }

  /** Whether the system has taken all that was answered. */
  isWritten(): boolean {
    return [...this.#open.keys()].every((socket) => socket.writableLength === 0)
  }

  /** Ends those that a browser made in advance; Node calls none idle that never asked. */
  endSilent(): void {
    const latest = performance.now() - silentMs
    for (const [socket, cameAt] of this.#open) if (cameAt < latest && socket.bytesRead === 0) socket.destroy()
  }

  /**
   * Waits until no connection has come for a while: those in the system's queue when a server stops listening are lost, which
   * a proxy answers with 502. The longer it takes, the shorter a while will do; at last it is one turn, which takes at most one
   * from the queue.
   */
  async untilQuiet(): Promise<void> {
    const begunAt = performance.now()
    await nextTurn()
    for (let now = begunAt; now < begunAt + longestHoldMs; ) {
      const turnAt = now
      await nextTurn()
      now = performance.now()
      const quietMs = Math.max(0, begunAt + holdMs - now) / 10
      if (this.#lastAt < turnAt && now - this.#lastAt >= quietMs && now - turnAt < shortTurnMs) return
    }
  }
}

/**
 * `close` of an HTTP server would first end connections whose answers are complete here, though their readers may have only
 * a part. New ones would come meanwhile and be lost.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
}

/** Kept connections end as soon as they are idle, all of them when `patienceMs` have passed. */
async function untilEnded(
  servers: readonly Server[],
  connections: Connections,
  closed: readonly Promise<void>[],
  patienceMs: number,
): Promise<void> {
  const look = setInterval(() => {
    connections.endSilent()
    if (connections.isWritten()) for (const server of servers) server.closeIdleConnections()
  }, lookEveryMs)
  const giveUp = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, patienceMs)
  await Promise.all(closed)
  clearInterval(look)
  clearTimeout(giveUp)
}
