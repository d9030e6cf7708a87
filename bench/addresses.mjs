/**
 * `node bench/addresses.mjs [COUNT]`: what the process keeps after many different addresses: unknown parameters, new values
 * of known ones, unknown courses and pages. Whoever sends them gets the server neither to render without end nor to grow.
 */
import { Agent, get } from 'node:http'
import { startProduct } from './product.mjs'
import { residentOf, whereMemoryIs } from './resident.mjs'
import { addRow } from './rows.mjs'

const count = Number(process.argv[2] ?? 100_000)
const kinds = [
  (turn) => `/AllCourses?unknown=${turn}`,
  (turn) => `/OneCourse/python-from-zero?utm_source=${turn}`,
  (turn) => `/AllCourses?q=word${turn}`,
  (turn) => `/OneCourse?why=${turn}`,
  (turn) => `/OneCourse/no-course-${turn}`,
  (turn) => `/no-page-${turn}`,
  (turn) => `/Suggestions?q=${turn.toString(36)}`,
]
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const product = await startProduct()
let asked = 0
try {
  await ask(Math.round(count / 10))
  const { now: early } = residentOf(product.pid)
  await ask(count)
  const { now: late } = residentOf(product.pid)
  const value = `${late} MB resident, ${early} MB after the first tenth`
  addRow({
    figure: `memory after ${count} addresses`,
    value,
    goal: 'at most 350 MB',
    met: late <= 350,
    ratio: `${(late / early).toFixed(2)} of the first tenth`,
  })
  console.log(`  ${whereMemoryIs(product.pid)}`)
} finally {
  await product.stop()
  agent.destroy()
}

async function ask(until) {
  const visit = async () => {
    while (asked < until) {
      const turn = asked++
      const status = await statusOf((kinds[turn % kinds.length] ?? String)(turn))
      if (status >= 500 && status !== 503) throw new Error(`${status} after ${turn} addresses`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, visit))
}

function statusOf(path) {
  return new Promise((resolve, reject) => {
    get(product.url + path, { agent, headers: { 'Accept-Encoding': 'br' } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', reject)
  })
}
