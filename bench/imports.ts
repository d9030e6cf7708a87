/**
 * `node bench/imports.ts [ROWS] [KILLS]`: imports a table of 100,000 people at the desk. Then
 * imports another one, while the product is killed ten times, every second time with its database.
 * In the end, everybody in the tables must have one account, one enrollment, one invitation and one
 * entry in the audit.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { addResult } from './figures.ts'
import { killProduct } from './kill-product.ts'
import { addSignedInLearners, courseId } from './learners.ts'
import { waitUntil } from './visitors.ts'

const rows = Number(process.argv[2] ?? 100_000)
const kills = Number(process.argv[3] ?? 10)
const goal = { check: 10, done: 60 }

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-imports-'))
let product = await startProduct({ folder })
const { url } = product
const start = () => startProduct({ folder, port: Number(new URL(url).port) })
let database = await connectDatabase({ folder })
try {
  const { learners } = await addSignedInLearners(database, { count: 1, folder, publicUrl: url })
  const cookie = learners[0]?.cookie ?? ''
  await database.query(`insert into staff (uid, role) values ('bench-0', 'owner')`)
  const post = (address: string, form: FormData | URLSearchParams) =>
    fetch(url + address, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: url },
      body: form,
      redirect: 'manual',
    })

  /** @returns the import's page, and the seconds until the check was done. */
  async function upload(name: string): Promise<{ page: string; seconds: number }> {
    const began = performance.now()
    const lines = Array.from(
      { length: rows },
      (_, line) => `${name}${line}@bench.example,Ada,Byron ${line},${courseId}`,
    )
    const form = new FormData()
    form.set('act', 'upload')
    form.set('pace', '6000')
    form.set(
      'file',
      new File([['email,first_name,last_name,courses', ...lines].join('\n')], `${name}.csv`),
    )
    const page = (await post('/Desk/People/Import', form)).headers.get('location') ?? ''
    await waitUntil('check', 300, async () => (await stateOf(page)).state === 'checked')

    return { page, seconds: (performance.now() - began) / 1000 }
  }

  async function stateOf(page: string): Promise<{ state: string; imported: number }> {
    const { rows } = await database.query('select state, imported from imports where id = $1', [
      page.split('/').at(-1),
    ])
    return rows[0]
  }

  const begin = (page: string) => post(page, new URLSearchParams({ act: 'start', seen: 'checked' }))

  const first = await upload('first')
  addResult({
    figure: `dry run of an import of ${rows} rows`,
    value: `${first.seconds.toFixed(1)} s`,
    goal: `${goal.check} s`,
    isMet: first.seconds <= goal.check,
  })
  const began = performance.now()
  await begin(first.page)
  await waitUntil('import', 1_800, async () => (await stateOf(first.page)).state === 'done')
  const seconds = (performance.now() - began) / 1000
  const value = `${seconds.toFixed(0)} s`
  addResult({
    figure: `import of ${rows} rows`,
    value,
    goal: `${goal.done} s`,
    isMet: seconds <= goal.done,
  })

  const second = await upload('second')
  await begin(second.page)
  for (let kill = 1; kill <= kills; kill++) {
    const due = ((kill - 0.5) / kills) * rows
    await waitUntil('lines', 600, async () => (await stateOf(second.page)).imported >= due)
    await pause(Math.random() * 200)
    await database.end()
    product = await killProduct(product, { shouldKillDatabase: kill % 2 === 0, start })
    database = await connectDatabase({ folder })
    process.stdout.write(`\rkilled ${kill} of ${kills} times${kill === kills ? '\n' : ''}`)
  }

  await waitUntil('import', 1_800, async () => (await stateOf(second.page)).state === 'done')
  const found = await database.query(`
    select (select count(*)::int from users where email like 'second%') as accounts,
      (select count(*)::int from enrollments e join users u on u.id = e.uid where u.email like 'second%') as enrollments,
      (select count(*)::int from outbox o join users u on u.id = o.uid where u.email like 'second%') as invitations,
      (select count(*)::int from operator_acts a join users u on u.id = a.subject where u.email like 'second%') as entries`)
  const counts = Object.entries<number>(found.rows[0])
  // Some invitations are sent already, and have left the outbox.
  const isWrong = counts.some(([what, count]) =>
    what === 'invitations' ? count > rows : count !== rows,
  )
  addResult({
    figure: `import of ${rows} rows in ${kills} kills`,
    value: counts.map(([what, count]) => `${count} ${what}`).join(', '),
    goal: `${rows} of each, none twice`,
    isMet: !isWrong,
  })
} finally {
  await database.end().catch(() => {})
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
