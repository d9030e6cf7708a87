/**
 * `node bench/certificate.mjs`: what a certificate's PDF costs beside its page, on a product of its own: the first one
 * after a start, which also loads the libraries and fonts; others that nobody asked for before; and one that is kept.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'

const courseId = 'python-from-zero'
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-'))
const product = await startProduct({ folder })
try {
  const [first, ...others] = await addCertificates(40)
  const page = (id, run) => timed(`/Certificate/${id}?bench=${run}`)
  const pdf = (id) => timed(`/Certificate/${id}/certificate.pdf`)
  for (const [run, id] of others.entries()) await page(id, run)
  const rendered = []
  for (const [run, id] of others.entries()) rendered.push(await page(id, `again-${run}`))
  const cold = await pdf(first)
  const made = []
  for (const id of others) made.push(await pdf(id))
  const kept = []
  for (const id of others) kept.push(await pdf(id))
  print('page, rendered', rendered)
  print('PDF, first after the start', [cold])
  print('PDF, made', made, rendered)
  print('PDF, kept', kept, rendered)
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}

async function addCertificates(count) {
  const sql = await openProductDatabase(folder)
  const { learners } = await addSignedInLearners(sql, { count, courseId, folder, port: new URL(product.url).port })
  const ids = learners.map(() => randomBytes(16).toString('base64url'))
  for (const [index, { uid }] of learners.entries()) {
    await sql`insert into certificate_register (id, course_id, course_title, lessons, material_seconds, exam_score, exam_max_score,
        issued_at, status_list, status_index)
      values (${ids[index]}, ${courseId}, 'Python from Zero', 7, 1800, 7, 8, now(), 1, ${index})`
    await sql`insert into certificates (uid, course_id, id, issued_at, learner_name)
      values (${uid}, ${courseId}, ${ids[index]}, now(), ${`Ada Lovelace ${index}`})`
  }
  await sql.end()
  return ids
}

async function timed(address) {
  const startedAt = performance.now()
  const response = await fetch(product.url + address)
  const bytes = (await response.arrayBuffer()).byteLength
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`)
  return { ms: performance.now() - startedAt, bytes }
}

function print(name, runs, beside) {
  const median = (list) => list.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  const ratio = beside ? `   ${(median(runs) / median(beside)).toFixed(2)} times the page` : ''
  const bytes = (Math.max(...runs.map((run) => run.bytes)) / 1000).toFixed(1)
  console.log(`${name.padEnd(28)}${median(runs).toFixed(1).padStart(8)} ms${bytes.padStart(8)} KB${ratio}`)
}
