import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 500
/** After a connection that was closed without a word, as a proxy does that has nobody behind it. */
const pauseMs = 250

type Address = { host: string[]; port: number[]; path: string | false }
type Traffic = { bytes: number; since: number }

/**
 * Ends connections whose server has gone silent while somebody waits for an answer: a server that hangs, or one behind a
 * network that swallows packets, says nothing, and TCP alone would wait for minutes. All times are `performance.now()`: the
 * machine's clock may be set back.
 */
export class ConnectionWatch {
  readonly #limitMs: number
  readonly #sockets = new Map<Socket, Traffic>()
  readonly #waiting = new Map<object, number>()
  #attempts = 0
  #pauseUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** What postgres.js calls for each connection; it waits for 'connect' by writing. */
  readonly openSocket = async ({ host, port, path }: Address): Promise<Socket> => {
    const pause = this.#pauseUntil - performance.now()
    // What fails at once, as without a free file, is told after this turn of promises, when postgres.js listens.
    await (pause > 0 ? delay(pause) : Promise.resolve())
    const choice = this.#attempts++ % host.length
    const socket = path ? connect(path) : connect(port[choice] ?? 5432, host[choice] ?? 'localhost')
    // For a server's certificate.
    Object.assign(socket, { host: host[choice], port: port[choice] })
    closeOnError(socket)
    this.#sockets.set(socket, { bytes: 0, since: performance.now() })
    socket.once('connect', () => socket.setNoDelay(true))
    socket.prependOnceListener('close', () => this.#forget(socket))
    return socket
  }

  /** From now on somebody waits for `question`; call `answered` in any case. */
  ask(question: object): void {
    this.#waiting.set(question, performance.now())
    this.#timer ??= setInterval(() => this.look(performance.now()), lookEveryMs).unref()
  }

  answered(question: object): void {
    this.#waiting.delete(question)
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  look(now: number): void {
    const late = [...this.#waiting].filter(([, since]) => now - since >= this.#limitMs)
    for (const [socket, traffic] of this.#sockets) {
      const bytes = socket.bytesRead + socket.bytesWritten
      if (bytes !== traffic.bytes) Object.assign(traffic, { bytes, since: now })
      else if (late.length > 0 && now - traffic.since >= this.#limitMs) socket.destroy()
    }
    for (const [question] of late) if ('state' in question && !question.state) giveUp(question)
  }

  #forget(socket: Socket): void {
    this.#sockets.delete(socket)
    if (socket.bytesRead === 0) this.#pauseUntil = performance.now() + pauseMs
  }
}

/** A query that no connection has taken yet. */
function giveUp(question: object): void {
  if ('cancel' in question && typeof question.cancel === 'function') question.cancel()
}

/**
 * postgres.js rejects what a broken connection had to answer at 'error', and takes it out of the pool at 'close', a moment
 * later: what is asked in between is never answered. Once a server has spoken, there is only the 'close'.
 */
function closeOnError(socket: Socket): void {
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string | symbol, ...parts: unknown[]) => {
    if (event === 'error' && socket.bytesRead > 0) return true
    return event === 'close' ? emit('close', false) : emit(event as 'data', ...(parts as [Buffer]))
  }
}
