/**
 * Simulates visitors of public pages. The visitors use little CPU time, because they run on the
 * same machine as the product that is measured.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const refusedPauseMs = 100
const lastChunk = '\r\n0\r\n\r\n'

type Limits = {
  visitors?: number
  /** Additional request headers. Each header ends with a line break. */
  headers?: string
  seconds?: number
  count?: number
}

/**
 * Sends requests over connections that stay open. Of each response, a visitor reads only the
 * length. After a 503 response, which means that the product is busy, the visitor waits and
 * requests another path.
 *
 * @param getPath returns the path of the request with the given number.
 * @returns the responses per second, and the milliseconds to the first byte of each response.
 */
export async function simulateVisitors(
  port: number,
  getPath: (requestNumber: number) => string,
  {
    visitors = 16,
    headers = '',
    seconds = Number.POSITIVE_INFINITY,
    count = Number.POSITIVE_INFINITY,
  }: Limits,
): Promise<{ rate: number; times: number[] }> {
  const startedAt = performance.now()
  const times: number[] = []
  let requestCount = 0

  async function browse(): Promise<void> {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    while (requestCount < count && performance.now() - startedAt < seconds * 1000) {
      const path = getPath(requestCount++)
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

/**
 * Resolves with the time to the first byte once the response is complete, or with null after a 503.
 */
function firstByteMs(socket: Socket, request: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now()
    let head = ''
    let firstMs = 0
    let missingBytes = -1

    const readHead = (data: Buffer) => {
      head += data.toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd < 0) {
        return false
      }

      if (!/^HTTP\/1.1 (200|304|503)/.test(head)) {
        reject(new Error(head.slice(0, 200)))
      }

      missingBytes = getBodyLength(head) - (head.length - headEnd - 4)

      return true
    }

    const readResponse = (data: Buffer) => {
      firstMs ||= performance.now() - sentAt
      if (missingBytes >= 0) {
        missingBytes -= data.length
      } else if (!readHead(data)) {
        return
      }

      if (!isResponseComplete(missingBytes, data)) {
        return
      }

      socket.off('data', readResponse)
      resolve(head.startsWith('HTTP/1.1 503') ? null : firstMs)
    }

    socket.on('data', readResponse)
    socket.write(request)
  })
}

/**
 * @param missingBytes the number of missing bytes, or infinity if the response is sent in chunks
 */
function isResponseComplete(missingBytes: number, data: Buffer): boolean {
  if (missingBytes === Number.POSITIVE_INFINITY) {
    return data.toString('latin1').endsWith(lastChunk)
  }

  return missingBytes <= 0
}

/** Returns the number of bytes that follow the head, or infinity if they are sent in chunks. */
function getBodyLength(head: string): number {
  if (head.startsWith('HTTP/1.1 304')) {
    return 0
  }

  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** Waits until a condition is true. Throws if that takes longer than the given time. */
export async function waitUntil(
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
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
