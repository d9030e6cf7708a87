import { connect, createServer } from 'node:net'

/**
 * Stands before a PostgreSQL server on this machine and counts: round trips (how often the client has to wait: what it says
 * after the server has spoken is a new one), statements, and bytes.
 */
export function countingProxy(target) {
  const counts = { roundTrips: 0, statements: 0, bytes: 0 }
  return new Promise((resolve) => {
    const listener = createServer((near) => {
      const far = connect(target, '127.0.0.1')
      // Otherwise an answer in several pieces waits 40 ms for an acknowledgment.
      for (const socket of [near, far]) socket.setNoDelay()
      const countStatements = statementCounter()
      let serverSpokeLast = true
      near.on('data', (data) => {
        if (serverSpokeLast) counts.roundTrips += 1
        serverSpokeLast = false
        counts.statements += countStatements(data)
        counts.bytes += data.length
        far.write(data)
      })
      far.on('data', (data) => {
        serverSpokeLast = true
        counts.bytes += data.length
        near.write(data)
      })
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
    }).listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
      resolve({ port, counts: () => ({ ...counts }), close: () => listener.close() })
    })
  })
}

/** Of what a client sends: its messages are a letter (none for the first one), a length that counts itself, and the rest. */
function statementCounter() {
  let rest = Buffer.alloc(0)
  let letters = 0
  return (data) => {
    let count = 0
    rest = Buffer.concat([rest, data])
    while (rest.length >= letters + 4) {
      const end = letters + rest.readUInt32BE(letters)
      if (rest.length < end) break
      // Execute, and a query without parameters.
      if (letters && 'EQ'.includes(String.fromCharCode(rest[0]))) count += 1
      rest = rest.subarray(end)
      letters = 1
    }
    return count
  }
}
