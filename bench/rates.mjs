/**
 * `node bench/rates.mjs`: how many pages one process sends a second. Pages from the store beside bare Node's `http`, and one
 * process of nginx where it is installed, with the same bytes, in turns; pages that have to be rendered, asked with new values of known parameters, by 16 visitors at once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { hasNginx, startNginx } from './nginx-file.mjs'
import { environment, freePort, startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { at, load, median } from './visitors.mjs'

const bareServer = `
  const body = Buffer.from(process.env.BODY, 'base64')
  const etag = process.env.ETAG
  require('node:http').createServer((request, response) => {
    if (request.headers['if-none-match']) return response.writeHead(304, { ETag: etag }).end()
    const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'br', 'Content-Length': body.length, ETag: etag }
    response.writeHead(200, headers).end(body)
  }).listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))`
const product = await startProduct()
const port = Number(new URL(product.url).port)
try {
  await measureKept('/AllCourses')
  await measureRendered('catalog page, rendered', (turn) => `/AllCourses?category=${turn}`)
  await measureRendered('course page, rendered', (turn) => `/OneCourse?why=${turn}`)
} finally {
  await product.stop()
}

async function measureKept(path) {
  const asked = { host: `localhost:${port}`, 'accept-encoding': 'br' }
  await read(path, asked)
  const { headers, body } = await read(path, asked)
  const barePort = Number(await freePort())
  const bare = spawn('node', ['-e', bareServer], {
    env: { ...environment, BODY: body.toString('base64'), ETAG: headers.etag, PORT: String(barePort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(bare.stdout, 'data')
  const nginx = hasNginx ? await startNginx(body) : null
  const ports = { product: port, bare: barePort, ...(nginx && { nginx: nginx.port }) }
  const etags = await Promise.all(
    Object.values(ports).map(async (each) => (await read(path, asked, each)).headers.etag),
  )
  for (const what of ['br', '304']) {
    /** @type {Record<string, number[]>} */
    const rates = {}
    for (let round = 0; round < 5; round++) {
      for (const [index, [name, each]] of Object.entries(ports).entries()) {
        const known = what === '304' ? `If-None-Match: ${etags[index]}\r\n` : ''
        rates[name] = [...(rates[name] ?? []), (await load(each, () => path, { known, seconds: 2 })).rate]
      }
    }
    const own = median(rates.product)
    const [ofBare, ofNginx] = ['bare', 'nginx'].map((name) => own / median(rates[name] ?? []))
    const value = `${Math.round(own)} a second`
    const ratio = `${ofBare.toFixed(2)} of bare Node${nginx ? `, ${ofNginx.toFixed(2)} of nginx` : ''}`
    addRow({ figure: `kept page, ${what}`, value, goal: 'half of bare Node', met: ofBare >= 0.5, ratio })
  }
  bare.kill()
  await nginx?.stop()
}

async function measureRendered(figure, path) {
  await load(port, (turn) => path(`warm${turn}`), { count: 800 })
  const { rate, times } = await load(port, (turn) => path(`new${turn}`), { count: 1500 })
  const spread = at(times, 0.99) / at(times, 0.5)
  addRow({ figure, value: `${Math.round(rate)} a second`, goal: '300 a second', met: rate >= 300 })
  const value = `p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms`
  const ratio = `${spread.toFixed(1)} times the median`
  addRow({ figure: `${figure}, first byte`, value, goal: 'p99 at most 4 times', met: spread <= 4, ratio })
}

function read(path, headers, from = port) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: from, path, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      resolve({ headers: response.headers, body })
    }).on('error', reject)
  })
}
