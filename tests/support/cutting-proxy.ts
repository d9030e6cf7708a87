import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Decides what happens to a statement.
 *
 * @param name the SQL text of the statement.
 * @returns whether the statement reaches the server and whether its result reaches the client.
 */
type Step = (name: string) => 'goes' | 'is cut' | 'loses its answer'

/**
 * Starts a proxy in front of PostgreSQL that cuts all connections at a statement, as killing the
 * program would. It cuts them either before the server receives the statement, or after the server
 * has executed it and before the result arrives. PostgreSQL rolls back the open transaction of a
 * connection that is cut.
 */
export async function startCuttingProxy(databaseUrl: string, step: Step) {
  const target = new URL(databaseUrl)
  const openSockets = new Set<Socket>()
  let isCut = false
  const cut = () => {
    isCut = true
    for (const socket of openSockets) {
      socket.destroy()
    }
  }
  const server = createServer((client) => {
    if (isCut) {
      return client.destroy()
    }

    const database = connect(Number(target.port), target.hostname)
    let shouldDropResult = false
    const splitMessages = createMessageSplitter()

    client.on('data', (data) => {
      for (const { message, sql } of splitMessages(data)) {
        const outcome = sql === null ? 'goes' : step(sql)
        if (outcome === 'is cut') {
          return cut()
        }

        shouldDropResult ||= outcome === 'loses its answer'
        database.write(message)
      }
    })

    database.on('data', (data) => (shouldDropResult ? cut() : client.write(data)))

    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      openSockets.add(socket.setNoDelay())
      socket.on('error', () => {})
      socket.on('close', () => {
        openSockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')

  await once(server, 'listening')
  const proxyUrl = new URL(databaseUrl)
  proxyUrl.port = String((server.address() as AddressInfo).port)

  return {
    url: proxyUrl.href,
    cut,
    /** Accepts connections again. */
    mend() {
      isCut = false
    },
    close() {
      cut()
      server.close()
    },
  }
}

/** Returns a function that yields the complete messages of a client as its data arrives. */
function createMessageSplitter() {
  let buffered = Buffer.alloc(0)
  let isGreeted = false

  return function* splitMessages(data: Buffer) {
    buffered = Buffer.concat([buffered, data])
    for (;;) {
      const length = getMessageLength(buffered, isGreeted)
      if (buffered.length < length) {
        return
      }

      const message = buffered.subarray(0, length)
      buffered = buffered.subarray(length)
      const sql = isGreeted ? readSql(message) : null
      isGreeted = true

      yield { message, sql }
    }
  }
}

/**
 * Returns the length of the first message in the buffer, or infinity if the length has not arrived
 * yet. Only the first message of a connection has no byte for its type.
 */
function getMessageLength(buffer: Buffer, isGreeted: boolean): number {
  const start = isGreeted ? 1 : 0
  return buffer.length < start + 4 ? Number.POSITIVE_INFINITY : start + buffer.readInt32BE(start)
}

/** Returns the text of a simple query or a parsed statement, or null for every other message. */
function readSql(message: Buffer): string | null {
  const type = String.fromCharCode(message[0] ?? 0)
  if (type === 'Q') {
    return message.toString('utf8', 5, message.length - 1)
  }

  if (type !== 'P') {
    return null
  }

  const nameEnd = message.indexOf(0, 5)

  return message.toString('utf8', nameEnd + 1, message.indexOf(0, nameEnd + 1))
}
