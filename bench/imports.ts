/**
 * `node bench/imports.ts [ROWS] [KILLS]`: imports a table of 100,000 people at the desk. Then
 * imports another one, while the product is killed ten times, every second time with its database.
 * In the end, everybody in the second table must have one account, one enrollment, one invitation
 * and one entry in the audit.
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

const rowCount = Number(process.argv[2] ?? 100_000)
const killCount = Number(process.argv[3] ?? 10)
const maxCheckSeconds = 10
const maxImportSeconds = 60

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-imports-'))
let product = await startProduct({ folder })
const { url } = product
const start = () => startProduct({ folder, port: Number(new URL(url).port) })
let database = await connectDatabase({ folder })

try {
  const ownerCookie = await addOwner()
  await measureImport(ownerCookie)
  await testImportDuringKills(ownerCookie)
} finally {
  await database.end().catch(() => {})
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Returns the cookie of a new owner. */
async function addOwner(): Promise<string> {
  const { learners } = await addSignedInLearners(database, { count: 1, folder, publicUrl: url })
  await database.query(`insert into staff (uid, role) values ('bench-0', 'owner')`)
  return learners[0]?.cookie ?? ''
}

/** Measures the check of a table, and the import of its people. */
async function measureImport(ownerCookie: string): Promise<void> {
  const uploadedAt = performance.now()
  const pagePath = await uploadTable(ownerCookie, 'first')
  const checkSeconds = (performance.now() - uploadedAt) / 1000
  addResult({
    figure: `dry run of an import of ${rowCount} rows`,
    value: `${checkSeconds.toFixed(1)} s`,
    goal: `${maxCheckSeconds} s`,
    isMet: checkSeconds <= maxCheckSeconds,
  })

  const startedAt = performance.now()
  await startImport(ownerCookie, pagePath)
  await waitUntilImported(pagePath)
  const importSeconds = (performance.now() - startedAt) / 1000
  addResult({
    figure: `import of ${rowCount} rows`,
    value: `${importSeconds.toFixed(0)} s`,
    goal: `${maxImportSeconds} s`,
    isMet: importSeconds <= maxImportSeconds,
  })
}

/** Imports a table while the product is killed, and checks that everybody was imported once. */
async function testImportDuringKills(ownerCookie: string): Promise<void> {
  const pagePath = await uploadTable(ownerCookie, 'second')
  await startImport(ownerCookie, pagePath)

  for (let kill = 1; kill <= killCount; kill++) {
    const rowsBeforeKill = ((kill - 0.5) / killCount) * rowCount
    await waitUntil('lines', 600, async () => {
      const { importedCount } = await readImport(pagePath)
      return importedCount >= rowsBeforeKill
    })
    await pause(Math.random() * 200)

    await database.end()
    product = await killProduct(product, { shouldKillDatabase: kill % 2 === 0, start })
    database = await connectDatabase({ folder })
    process.stdout.write(`\rkilled ${kill} of ${killCount} times${kill === killCount ? '\n' : ''}`)
  }

  await waitUntilImported(pagePath)

  const counts = await countImported('second')
  // Some invitations are sent already, and have left the outbox.
  const isWrong = counts.some(([name, count]) =>
    name === 'invitations' ? count > rowCount : count !== rowCount,
  )
  addResult({
    figure: `import of ${rowCount} rows in ${killCount} kills`,
    value: counts.map(([name, count]) => `${count} ${name}`).join(', '),
    goal: `${rowCount} of each, none twice`,
    isMet: !isWrong,
  })
}

/**
 * Uploads a table of people, and waits until the product has checked it.
 *
 * @param tableName the beginning of each email in the table
 * @returns the path of the import's page
 */
async function uploadTable(ownerCookie: string, tableName: string): Promise<string> {
  const header = 'email,first_name,last_name,courses'
  const lines = Array.from(
    { length: rowCount },
    (_, index) => `${tableName}${index}@bench.example,Ada,Byron ${index},${courseId}`,
  )
  const file = new File([[header, ...lines].join('\n')], `${tableName}.csv`)

  const form = new FormData()
  form.set('intent', 'upload')
  form.set('pace', '6000')
  form.set('file', file)

  const response = await postToDesk(ownerCookie, '/Desk/People/Import', form)
  const pagePath = response.headers.get('location') ?? ''
  await waitUntil('check', 300, async () => (await readImport(pagePath)).status === 'checked')

  return pagePath
}

async function startImport(ownerCookie: string, pagePath: string): Promise<void> {
  await postToDesk(ownerCookie, pagePath, new URLSearchParams({ intent: 'start', seen: 'checked' }))
}

async function waitUntilImported(pagePath: string): Promise<void> {
  await waitUntil('import', 1_800, async () => (await readImport(pagePath)).status === 'done')
}

async function readImport(pagePath: string): Promise<{ status: string; importedCount: number }> {
  const { rows } = await database.query(
    'select state as status, imported as "importedCount" from imports where id = $1',
    [path.basename(pagePath)],
  )
  return rows[0]
}

/** Counts what the people of a table have: accounts, enrollments, invitations and audit entries. */
async function countImported(tableName: string): Promise<[name: string, count: number][]> {
  const { rows } = await database.query(
    `select
      (select count(*)::int from users where email like $1) as accounts,
      (select count(*)::int from enrollments e join users u on u.id = e.uid
        where u.email like $1) as enrollments,
      (select count(*)::int from outbox o join users u on u.id = o.uid
        where u.email like $1) as invitations,
      (select count(*)::int from operator_acts a join users u on u.id = a.subject
        where u.email like $1) as entries`,
    [`${tableName}%`],
  )
  return Object.entries<number>(rows[0])
}

async function postToDesk(
  ownerCookie: string,
  deskPath: string,
  form: FormData | URLSearchParams,
): Promise<Response> {
  // Imports need a sign-in of the last 15 minutes.
  await database.query('update sessions set confirmed_at = now()')

  const response = await fetch(url + deskPath, {
    method: 'POST',
    headers: { Cookie: ownerCookie, Origin: url },
    body: form,
    redirect: 'manual',
  })
  if (response.status >= 400) {
    throw new Error(`${deskPath}: ${response.status}`)
  }

  return response
}
