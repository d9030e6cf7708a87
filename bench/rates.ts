/**
 * `node bench/rates.ts`: how many cached pages one process sends a second, whole and as 304, beside
 * bare Node's `http` with the same bytes, in turns.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingHttpHeaders } from 'node:http'
import { createProductEnvironment, findFreePort, startProduct } from '../tests/support/product.ts'
import { addResult, median } from './figures.ts'
import { simulateVisitors } from './visitors.ts'

const rounds = 5
const secondsEach = 2
const minRatio = 0.25
const page = '/AllCourses'

const bareServer = `
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
  await readPage(productPort)
  const { headers, body } = await readPage(productPort)
  const barePort = await findFreePort()
  const bare = spawn('node', ['-e', bareServer], {
    env: {
      ...createProductEnvironment(),
      BODY: body.toString('base64'),
      ETAG: headers.etag,
      PORT: String(barePort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

  await once(bare.stdout, 'data')
  await compare('cached page, br', barePort, '')
  await compare('cached page, 304', barePort, `If-None-Match: ${headers.etag}\r\n`)
  bare.kill()
} finally {
  await product.stop()
}

async function compare(figure: string, barePort: number, headers: string): Promise<void> {
  const rates = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.product.push(
      (await simulateVisitors(productPort, () => page, { headers, seconds: secondsEach })).rate,
    )
    rates.bare.push(
      (await simulateVisitors(barePort, () => page, { headers, seconds: secondsEach })).rate,
    )
  }

  const [own, ofBare] = [median(rates.product), median(rates.product) / median(rates.bare)]
  addResult({
    figure,
    value: `${Math.round(own)} a second`,
    goal: `${minRatio} of bare Node`,
    isMet: ofBare >= minRatio,
    ratio: `${ofBare.toFixed(2)} of bare Node`,
  })
}

function readPage(port: number): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = { host: `localhost:${port}`, 'accept-encoding': 'br' }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: page, headers }, async (response) => {
      resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
    }).on('error', reject)
  })
}
