/** Visitors for a benchmark, as cheap as they can be: they share the machine with the product. */
import { once } from 'node:events'
import { connect } from 'node:net'

const visitors = 16

/**
 * 16 visitors ask over and over on open connections, and read no more of an answer than its length.
 *
 * @param target the port.
 * @param path of each turn.
 * @param options `rate`: how many questions a second are asked in all; 0 for as many as are answered.
 * @returns the rate, and the milliseconds to the first byte of each answer in order; with a `rate` they count from when
 *   the question was due. `answers` count from when it was sent: what the visitors' own lateness adds is left out.
 */
export async function load(
  target,
  path,
  { known = '', seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY, rate = 0 },
) {
  const startedAt = performance.now()
  const times = []
  const answers = []
  let asked = 0
  const visit = async (_, visitor) => {
    const socket = connect(target, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    let turns = 0
    while (asked < count && performance.now() - startedAt < seconds * 1000) {
      const begun = rate > 0 ? startedAt + ((visitor + visitors * turns++) / rate) * 1000 : performance.now()
      while (performance.now() < begun) await new Promise((resolve) => setTimeout(resolve, 1))
      const question = `GET ${path(asked++)} HTTP/1.1\r\nHost: localhost:${target}\r\nAccept-Encoding: br\r\n${known}\r\n`
      const sent = performance.now()
      const first = await answered(socket, question)
      times.push(first - begun)
      answers.push(first - sent)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: visitors }, visit))
  const rateOfAll = (times.length / (performance.now() - startedAt)) * 1000
  const inOrder = (list) => list.sort((a, b) => a - b)
  return { rate: rateOfAll, times: inOrder(times), answers: inOrder(answers) }
}

/** @returns {Promise<number>} when the first byte came, once all have. */
function answered(socket, question) {
  return new Promise((resolve, reject) => {
    let head = ''
    let first = 0
    let missing = -1
    const take = (data) => {
      first ||= performance.now()
      if (missing < 0) {
        head += data.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!/^HTTP\/1.1 (200|304)/.test(head)) reject(new Error(head.slice(0, 100)))
        const length = head.startsWith('HTTP/1.1 304') ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1])
        missing = length - (head.length - end - 4)
      } else missing -= data.length
      if (missing > 0) return
      socket.off('data', take)
      resolve(first)
    }
    socket.on('data', take)
    socket.write(question)
  })
}

/** @returns the value below which a share of them lies. */
export function at(sorted, share) {
  return sorted[Math.floor((sorted.length - 1) * share)]
}

export function median(values) {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}
