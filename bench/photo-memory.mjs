/**
 * `node bench/photo-memory.mjs`: memory of the product while learners upload pictures at once, beside what it takes at
 * rest: pictures of 60 megapixels, which are refused, and the largest that are taken, in the forms that need most memory.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'

const atOnce = 4
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-'))
const product = await startProduct({ folder })
try {
  const pid = serverOf(product.pid)
  const sql = await openProductDatabase(folder)
  const port = new URL(product.url).port
  const { learners } = await addSignedInLearners(sql, { count: atOnce, courseId: 'python-from-zero', folder, port })
  await sql.end()
  /** @param {number} width @param {number} height @param {3 | 4} [channels] */
  const blank = (width, height, channels = 3) =>
    sharp({ create: { width, height, channels, background: '#5140e0' }, limitInputPixels: false })
  const pictures = {
    'PNG of 100 x 100': await blank(100, 100).png().toBuffer(),
    'PNG of 60 megapixels': await blank(10_000, 6_000).png({ compressionLevel: 9 }).toBuffer(),
    'PNG of 25 megapixels, interlaced': await blank(5_000, 5_000, 4).png({ progressive: true }).toBuffer(),
    'JPEG of 25 megapixels, progressive': await blank(5_000, 5_000).jpeg({ progressive: true }).toBuffer(),
  }
  console.log(`at rest${' '.repeat(34)}${megabytes(pid, 'VmRSS')} MB`)
  for (const [name, bytes] of Object.entries(pictures)) {
    const statuses = await Promise.all(learners.map(({ cookie }) => upload(cookie, bytes)))
    console.log(
      `${name.padEnd(38)}${String((bytes.length / 1e6).toFixed(2)).padStart(5)} MB, ${atOnce} at once:` +
        ` peak ${megabytes(pid, 'VmHWM')} MB, afterwards ${megabytes(pid, 'VmRSS')} MB, answers ${statuses}`,
    )
  }
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}

async function upload(cookie, bytes) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ firstName: 'Ada', lastName: 'L', phone: '', location: '' }))
    body.set(name, value)
  body.set('photo', new File([bytes], 'photo'))
  const response = await fetch(`${product.url}/Profile/settings`, {
    method: 'POST',
    body,
    headers: { Origin: product.url, Cookie: cookie },
  })
  await response.arrayBuffer()
  return response.status
}

/** Linux only: the largest of the program and its children is the server. */
function serverOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const nodes = children.filter((child) => readFileSync(`/proc/${child}/comm`, 'utf8').startsWith('node'))
  return [String(pid), ...nodes].toSorted((a, b) => megabytes(b, 'VmRSS') - megabytes(a, 'VmRSS'))[0]
}

/** @param what `VmRSS` is what a process takes now, `VmHWM` the most that it ever took. */
function megabytes(pid, what) {
  const [, kilobytes] = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
