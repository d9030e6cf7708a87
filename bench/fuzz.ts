/**
 * `node bench/fuzz.ts [COUNT=20000] [SEED]`: sends odd requests to every path of a product of its
 * own: with any method, with and without a session, and with bodies, headers and parameters that no
 * page sends. The same seed sends the same requests.
 *
 * Ends with status 1 if a response is a server error or shows internals, if a response is missing,
 * if memory grows, or if the log has an error.
 */
import { Agent, request as sendRequest } from 'node:http'
import fc from 'fast-check'
import { startProduct } from '../tests/support/product.ts'
import { addResult, residentMemory } from './figures.ts'
import { createOddRequests, type OddRequest } from './fuzz-requests.ts'
import { benchPassword } from './learners.ts'

const requestCount = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))
const concurrency = 4
const requestTimeoutMs = 20_000
/** The most memory in the end, relative to the memory after a quarter of the requests. */
const maxMemoryGrowth = 1.25
/** The number that pino gives to errors. */
const errorLevel = 50

type OddResponse = {
  /** The status is 0 if there was no response. */
  status: number
  body: string
}

console.log(`seed ${seed}, ${requestCount} requests`)
/** An example for each problem. */
const problems = new Map<string, string>()
/** The number of responses of each kind, such as '2xx'. */
const responseCounts = new Map<string, number>()
const product = await startProduct({ onLine: checkLogLine })
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
let memoryAfterQuarter = 0
let memoryAtEnd = 0

try {
  const { origin } = new URL(product.url)
  const oddRequests = createOddRequests({ origin, cookies: await signInLearners() })
  await sendAll(fc.sample(oddRequests, { seed, numRuns: requestCount }))
  memoryAtEnd = residentMemory(product.pid).now
} finally {
  agent.destroy()
  await product.stop()
}

for (const [problem, example] of problems) {
  console.log(`\nPROBLEM ${problem}\n  ${example.slice(0, 800)}`)
}

addResult({
  figure: `${requestCount} odd requests`,
  value: Array.from(responseCounts, ([kind, count]) => `${count} × ${kind}`).join(', '),
  goal: 'no error of the server, nothing in the log',
  isMet: problems.size === 0,
})
addResult({
  figure: 'memory after them',
  value: `${memoryAtEnd.toFixed(0)} MB`,
  goal: `${maxMemoryGrowth} times that after a quarter`,
  isMet: memoryAtEnd <= memoryAfterQuarter * maxMemoryGrowth,
  ratio: `${(memoryAtEnd / memoryAfterQuarter).toFixed(2)} of that after a quarter`,
})

/** Returns the cookies of two learners: the demo account, and a new account. */
async function signInLearners(): Promise<string[]> {
  const demoCookie = await readSessionCookie('login', {
    email: 'demo@learnify.example',
    password: 'Learnify2026',
  })
  const newLearnerCookie = await readSessionCookie('register', {
    email: 'fuzz@bench.example',
    password: benchPassword,
    firstName: 'Fuzz',
    lastName: 'Bench',
  })

  return [demoCookie, newLearnerCookie]
}

async function readSessionCookie(operation: string, body: object): Promise<string> {
  const response = await fetch(`${product.url}/account/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.url },
    body: JSON.stringify(body),
  })
  if (!response.ok) {
    throw new Error(`/account/${operation} answered ${response.status}.`)
  }

  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return cookies.join('; ')
}

/** Sends all requests, several at once, and checks their responses. */
async function sendAll(requests: readonly OddRequest[]): Promise<void> {
  let sentCount = 0
  const sendSome = async () => {
    for (let request = requests[sentCount++]; request; request = requests[sentCount++]) {
      if (sentCount === Math.floor(requestCount / 4)) {
        memoryAfterQuarter = residentMemory(product.pid).now
      }

      checkResponse(request, await send(request))
    }
  }

  await Promise.all(Array.from({ length: concurrency }, sendSome))
}

/** Sends a request by `node:http`, because `fetch` would normalize malformed requests. */
function send({ method, path, headers, body }: OddRequest): Promise<OddResponse> {
  const { hostname, port } = new URL(product.url)
  return new Promise((resolve) => {
    const lengthHeader = body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
    const request = sendRequest({
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...lengthHeader },
      setHost: false,
    })

    request.setTimeout(requestTimeoutMs, () => request.destroy(new Error('no answer in 20 s')))
    request.on('error', (error) => resolve({ status: 0, body: error.message }))
    request.on('response', async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString('latin1')
        // A busy server asks to try again later, which is no error of the server.
        const isBusy = response.statusCode === 503 && response.headers['retry-after'] !== undefined
        resolve({ status: isBusy ? 429 : (response.statusCode ?? 0), body: text })
      } catch (error) {
        resolve({ status: 0, body: String(error) })
      }
    })

    request.end(body)
  })
}

/** Counts a response, and records a problem if the response is an error or shows internals. */
function checkResponse(request: OddRequest, { status, body }: OddResponse): void {
  const kind = status === 0 ? 'no answer' : `${Math.floor(status / 100)}xx`
  responseCounts.set(kind, (responseCounts.get(kind) ?? 0) + 1)

  const isError = status === 0 || status >= 500
  // A stack trace, a path of a module or a message of the JSON parser shows internals.
  const showsInternals = /\n\s+at .+:\d+:\d+|node_modules|Unexpected token/.test(body)
  if (!isError && !showsInternals) {
    return
  }

  const [pathWithoutQuery = ''] = request.path.split('?')
  const problem = isError ? `status ${status}` : 'shows internals'
  problems.set(
    `${problem}: ${request.method} ${pathWithoutQuery.slice(0, 80)}`,
    `${JSON.stringify(request)} ${body}`,
  )
}

/** Records a problem if a line of the log is an error. */
function checkLogLine(line: string): void {
  const { level, msg, err, path: requestPath } = JSON.parse(line)
  if (level < errorLevel) {
    return
  }

  problems.set(`in the log: ${msg}`, `${requestPath} ${JSON.stringify(err)}`)
}
