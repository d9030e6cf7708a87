/**
 * `node bench/rates.ts`: measures how many cached pages one process sends a second, with their
 * content and as 304 responses. A server with bare `node:http`, which sends the same bytes, takes
 * turns with the product, so that both are measured under the same conditions.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingHttpHeaders } from 'node:http'
import { createProductEnvironment, findFreePort, startProduct } from '../tests/support/product.ts'
import { addResult, median } from './figures.ts'
import { simulateVisitors } from './visitors.ts'

const roundCount = 5
const secondsPerRound = 2
/** The lowest rate of the product, relative to the bare server. */
const minRatio = 0.25
const pagePath = '/AllCourses'

const bareServerProgram = `
  const body = Buffer.from(process.env.BODY, 'base64')
  const etag = process.env.ETAG
  require('node:http').createServer((request, response) => {
    if (request.headers['if-none-match']) return response.writeHead(304, { ETag: etag }).end()
    const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'br', 'Content-Length': body.length, ETag: etag }
    response.writeHead(200, headers).end(body)
  }).listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))`

const product = await startProduct()
const productPort = Number(new URL(product.url).port)
try {
  // The first request puts the page into the cache.
  await readPage(productPort)
  const { headers, body } = await readPage(productPort)

  const barePort = await findFreePort()
  const bareServer = spawn('node', ['-e', bareServerProgram], {
    env: {
      ...createProductEnvironment(),
      BODY: body.toString('base64'),
      ETAG: headers.etag,
      PORT: String(barePort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(bareServer.stdout, 'data')

  await compareRates('cached page, br', barePort, '')
  await compareRates('cached page, 304', barePort, `If-None-Match: ${headers.etag}\r\n`)
  bareServer.kill()
} finally {
  await product.stop()
}

/** @param headers additional request headers, each with a line break at its end */
async function compareRates(figure: string, barePort: number, headers: string): Promise<void> {
  const options = { headers, seconds: secondsPerRound }
  const productRates: number[] = []
  const bareRates: number[] = []
  for (let round = 0; round < roundCount; round++) {
    const productRun = await simulateVisitors(productPort, () => pagePath, options)
    const bareRun = await simulateVisitors(barePort, () => pagePath, options)
    productRates.push(productRun.rate)
    bareRates.push(bareRun.rate)
  }

  const ratio = median(productRates) / median(bareRates)
  addResult({
    figure,
    value: `${Math.round(median(productRates))} a second`,
    goal: `${minRatio} of bare Node`,
    isMet: ratio >= minRatio,
    ratio: `${ratio.toFixed(2)} of bare Node`,
  })
}

/** Reads the page without decompressing it. */
function readPage(port: number): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = { host: `localhost:${port}`, 'accept-encoding': 'br' }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pagePath, headers }, async (response) => {
      resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
    }).on('error', reject)
  })
}
