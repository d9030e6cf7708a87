import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Names what is about to happen.
 *
 * @returns whether it still may, and whether its answer still arrives.
 */
type Step = (name: string) => 'goes' | 'is cut' | 'loses its answer'

/**
 * A proxy before PostgreSQL that cuts connections at a statement, as a kill of the program does:
 * before the server gets it, or after the server has done it and before the answer arrives. A
 * connection that is cut rolls its transaction back.
 */
export async function startCuttingProxy(databaseUrl: string, step: Step) {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let isCut = false
  const cut = () => {
    isCut = true
    for (const socket of open) {
      socket.destroy()
    }
  }
  const server = createServer((client) => {
    if (isCut) {
      return client.destroy()
    }

    const database = connect(Number(target.port), target.hostname)
    let losesAnswer = false
    let waiting = Buffer.alloc(0)
    let isGreeted = false
    const forwardMessages = (data: Buffer) => {
      waiting = Buffer.concat([waiting, data])
      for (;;) {
        const length = getMessageLength(waiting, isGreeted)
        if (waiting.length < length) {
          return
        }

        const message = waiting.subarray(0, length)
        waiting = waiting.subarray(length)
        const sql = isGreeted ? sqlOf(message) : null
        isGreeted = true
        const fate = sql === null ? 'goes' : step(sql)
        if (fate === 'is cut') {
          return cut()
        }

        losesAnswer ||= fate === 'loses its answer'
        database.write(message)
      }
    }

    client.on('data', forwardMessages)

    database.on('data', (data) => (losesAnswer ? cut() : client.write(data)))
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket.setNoDelay())
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')

  await once(server, 'listening')
  const own = new URL(databaseUrl)
  own.port = String((server.address() as AddressInfo).port)

  return {
    url: own.href,
    cut,
    /** As after a start. */
    mend() {
      isCut = false
    },
    close() {
      cut()
      server.close()
    },
  }
}

/**
 * Returns the length of the first message in the buffer, or infinity if the length has not arrived yet.
 * Only the first message of a connection has no byte for its type.
 */
function getMessageLength(buffer: Buffer, isGreeted: boolean): number {
  const start = isGreeted ? 1 : 0
  return buffer.length < start + 4 ? Number.POSITIVE_INFINITY : start + buffer.readInt32BE(start)
}

/** Returns the text of a simple query or a parsed statement, or null for every other message. */
function sqlOf(message: Buffer): string | null {
  const type = String.fromCharCode(message[0] ?? 0)
  if (type === 'Q') {
    return message.toString('utf8', 5, message.length - 1)
  }

  if (type !== 'P') {
    return null
  }

  const name = message.indexOf(0, 5)

  return message.toString('utf8', name + 1, message.indexOf(0, name + 1))
}
