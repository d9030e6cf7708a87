/**
 * `node bench/fuzz.mjs [COUNT=20000] [SEED]`: odd requests to every address of a product of its own: any method, with and
 * without a session, with bodies, headers and parameters that no page sends. Ends with status 1 when one is answered by
 * an error of the server, shows internals or gets no answer, when one takes a second, when memory grows (what is in use
 * after a garbage collection, or what is resident), or when a refusal stands in the log as an error. The same seed sends
 * the same requests.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { oddRequests } from './odd-request.mjs'
import { startProduct } from './product.mjs'

const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))
const atOnce = 4
const slowMs = 1000
const warmUp = Math.floor(count / 4)
console.log(`seed ${seed}, ${count} requests`)

const errorLines = new Map()
const heapReport = new URL('heap-report.mjs', import.meta.url)
const product = await startProduct({ onLine: noteLine, variables: { NODE_OPTIONS: `--import ${heapReport}` } })
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
const problems = new Map()
const statuses = new Map()
const slowest = []
let noteInUse = (_bytes) => {}
let memoryBefore = { inUse: 0, resident: 0 }
try {
  const cookies = [await cookieOf('login', demo()), await cookieOf('register', newLearner())]
  const next = oddRequests({ seed, origin: product.url, cookies })
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        sent += 1
        if (sent === warmUp) memoryBefore = await memoryMb()
        judge(await leastOfThree(next()))
      }
    }),
  )
} finally {
  agent.destroy()
  report(await memoryMb())
  await product.stop()
}

function noteLine(line) {
  if (line.startsWith('in use ')) noteInUse(Number(line.slice('in use '.length)))
  if (!line.startsWith('{')) return
  const { msg, err, path } = JSON.parse(line)
  const what = `${msg} ${path ?? ''} ${JSON.stringify(err)?.slice(0, 700)}`
  errorLines.set(what, (errorLines.get(what) ?? 0) + 1)
}

function judge({ request, status, body, ms, failure }) {
  const kind = failure ?? `${Math.floor(status / 100)}xx`
  statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
  slowest.push({ ms, status, request })
  slowest.sort((a, b) => b.ms - a.ms).splice(5)
  const problem = failure ?? problemOf(status, body)
  if (!problem) return
  const key = `${problem} ${request.method} ${request.path.split('?')[0].replace(/%[0-9a-f]{2}/gi, '%')}`.slice(0, 120)
  if (!problems.has(key)) problems.set(key, { problem, request, body: body?.slice(0, 200) })
}

function problemOf(status, body) {
  if (status >= 500) return `status ${status}`
  return /\n\s+at .+:\d+:\d+|node_modules|Unexpected token/.test(body) ? 'shows internals' : null
}

/** One that took long may have waited for the machine: it is slow if it is so each time it gets the same answer. */
async function leastOfThree(odd) {
  const first = await answerTo(odd)
  for (let time = 0; time < 2 && first.ms >= slowMs; time++) {
    const { status, ms } = await answerTo(odd)
    if (status === first.status) first.ms = Math.min(first.ms, ms)
  }
  return first
}

function answerTo(odd) {
  const startedAt = performance.now()
  const { hostname, port } = new URL(product.url)
  return new Promise((resolve) => {
    const done = (result) => resolve({ request: odd, ms: performance.now() - startedAt, ...result })
    const headers = { ...odd.headers, ...(odd.body && { 'Content-Length': Buffer.byteLength(odd.body) }) }
    const sent = send({ hostname, port, agent, method: odd.method, path: odd.path, headers, setHost: false })
    sent.setTimeout(20_000, () => sent.destroy(new Error('no answer in 20 s')))
    sent.on('error', (/** @type {NodeJS.ErrnoException} */ error) => done({ failure: error.code ?? error.message }))
    sent.on('response', async (response) => {
      const chunks = []
      try {
        for await (const chunk of response) chunks.push(chunk)
      } catch (error) {
        return done({ failure: error.code ?? error.message })
      }
      const refused = response.statusCode === 503 && response.headers['retry-after'] !== undefined
      done({ status: refused ? 429 : response.statusCode, body: Buffer.concat(chunks).toString('latin1') })
    })
    sent.end(odd.body)
  })
}

/** Of the product's process alone: its database has others. */
async function memoryMb() {
  // First, as the collection gives some of it back.
  const status = readFileSync(`/proc/${serverPid()}/status`, 'utf8')
  const bytes = await new Promise((resolve) => {
    noteInUse = resolve
    process.kill(serverPid(), 'SIGUSR2')
  })
  return { inUse: bytes / 2 ** 20, resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 }
}

/** The program that was started may be the server, or have started it. */
function serverPid() {
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === product.pid)
  const server = children.find((id) => /^Name:\s+(node|MainThread)/m.test(readFileSync(`/proc/${id}/status`, 'utf8')))
  return Number(server ?? product.pid)
}

function parentOf(pid) {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}

function demo() {
  return { email: 'demo@learnify.example', password: demoPassword() }
}

function demoPassword() {
  const source = readFileSync(new URL('../app/features/accounts/demo/demo-account.server.ts', import.meta.url), 'utf8')
  return /password: '([^']+)'/.exec(source)?.[1]
}

function newLearner() {
  return { email: 'fuzz@bench.example', password: 'Correct-horse-7', firstName: 'Fuzz', lastName: 'Bench' }
}

async function cookieOf(operation, body) {
  const response = await fetch(`${product.url}/account/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.url },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`/account/${operation} answered ${response.status}.`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

function report(memoryAfter) {
  const grown = Object.keys(memoryAfter).some((kind) => memoryAfter[kind] > memoryBefore[kind] * 1.25 + 32)
  const tooSlow = slowest.filter(({ ms }) => ms >= slowMs)
  console.log(
    [...statuses]
      .sort()
      .map(([kind, number]) => `${kind} ${number}`)
      .join('  '),
  )
  for (const { ms, status, request } of slowest) {
    console.log(`slow  ${ms.toFixed(0).padStart(5)} ms  ${status} ${request.method} ${request.path.slice(0, 90)}`)
  }
  for (const [when, { inUse, resident }] of Object.entries({
    'after a quarter': memoryBefore,
    'at the end': memoryAfter,
  }))
    console.log(`memory ${when}: ${inUse.toFixed(0)} MB in use, ${resident.toFixed(0)} MB resident`)
  for (const [what, { request, body }] of problems)
    console.log(`\nPROBLEM ${what}\n`, JSON.stringify(request).slice(0, 600), body)
  for (const [line, number] of errorLines) console.log(`\nLOG ${number}× ${line}`)
  if (problems.size > 0 || errorLines.size > 0 || tooSlow.length > 0 || grown) process.exitCode = 1
  console.log(process.exitCode ? '\nfailed' : '\npassed')
}
