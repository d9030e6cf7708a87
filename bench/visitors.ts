/** Visitors of public pages, as cheap as they can be: they share the machine with the product. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const refusedPauseMs = 100
const lastChunk = '\r\n0\r\n\r\n'

type Limits = {
  visitors?: number
  /** Headers that each request has beside its own, each with its line end. */
  headers?: string
  seconds?: number
  count?: number
}

/**
 * Visitors ask over and over on open connections, and read no more of an answer than its length.
 * One that is refused because the product is busy (503) waits and asks for something else.
 *
 * @param pathOf the path of each request.
 * @returns how many answers came in a second, and the milliseconds to the first byte of each.
 */
export async function visit(
  port: number,
  pathOf: (turn: number) => string,
  {
    visitors = 16,
    headers = '',
    seconds = Number.POSITIVE_INFINITY,
    count = Number.POSITIVE_INFINITY,
  }: Limits,
): Promise<{ rate: number; times: number[] }> {
  const startedAt = performance.now()
  const times: number[] = []
  let asked = 0

  async function browse(): Promise<void> {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    while (asked < count && performance.now() - startedAt < seconds * 1000) {
      const path = pathOf(asked++)
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: br\r\n${headers}\r\n`
      const ms = await firstByteMs(socket, request)
      if (ms === null) {
        await pause(refusedPauseMs)
      } else {
        times.push(ms)
      }
    }

    socket.destroy()
  }

  await Promise.all(Array.from({ length: visitors }, browse))

  return { rate: (times.length / (performance.now() - startedAt)) * 1000, times }
}

/** Resolves with the time to the first byte once the response is complete, or with null after a 503. */
function firstByteMs(socket: Socket, request: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now()
    let head = ''
    let firstMs = 0
    let missing = -1

    const take = (data: Buffer) => {
      firstMs ||= performance.now() - sentAt
      if (missing < 0) {
        head += data.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) {
          return
        }

        if (!/^HTTP\/1.1 (200|304|503)/.test(head)) {
          reject(new Error(head.slice(0, 200)))
        }

        missing = lengthOf(head) - (head.length - end - 4)
      } else {
        missing -= data.length
      }

      if (!isResponseComplete(missing, data)) {
        return
      }

      socket.off('data', take)
      resolve(head.startsWith('HTTP/1.1 503') ? null : firstMs)
    }

    socket.on('data', take)
    socket.write(request)
  })
}

/** @param missing the number of missing bytes, or infinity if the response is sent in chunks */
function isResponseComplete(missing: number, data: Buffer): boolean {
  if (missing === Number.POSITIVE_INFINITY) {
    return data.toString('latin1').endsWith(lastChunk)
  }

  return missing <= 0
}

/** Returns the number of bytes that follow the head, or infinity if they are sent in chunks. */
function lengthOf(head: string): number {
  if (head.startsWith('HTTP/1.1 304')) {
    return 0
  }

  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** Waits until a condition is true. Throws if that takes longer than the given time. */
export async function until(
  what: string,
  seconds: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const startedAt = performance.now(); !(await isTrue()); await pause(50)) {
    if (performance.now() - startedAt > seconds * 1000) {
      throw new Error(`${what}: not within ${seconds} seconds.`)
    }
  }
}

/** Returns whether a program listens on the port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
