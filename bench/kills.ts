/**
 * `node bench/kills.ts [progress | exams] [KILLS]`: 50 learners report what they watch, then ten
 * take exams, all at once, while the product is killed (SIGKILL) 20 times at random moments, every
 * second time together with its database, and started again. Then every acknowledged change has to
 * be stored exactly once, and nothing else. Ends with status 1 otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, type Product, startProduct } from '../tests/support/product.ts'
import { addResult } from './figures.ts'
import { killProduct } from './kill-product.ts'
import { addSignedInLearners, allowExam } from './learners.ts'
import { waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

const kinds = {
  progress: { learners: 50, facts: ['film', 'finished lesson'], mostAnswers: 200 },
  exams: { learners: 10, facts: ['exam answer', 'exam result'], mostAnswers: 300 },
} as const
type Kind = keyof typeof kinds

const args = process.argv.slice(2)
const killCount = Number(args.find((word) => Number(word) > 0) ?? 20)
const chosenKinds = (Object.keys(kinds) as Kind[]).filter((kind) => args.includes(kind))
for (const kind of chosenKinds.length > 0 ? chosenKinds : (Object.keys(kinds) as Kind[])) {
  await testKills(kind)
}

async function testKills(kind: Kind): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-kills-'))
  let product = await startProduct({ folder })
  const workload = new Workload(product.url)
  const count = kinds[kind].learners
  try {
    const database = await connectDatabase({ folder })
    const { learners, signVisit } = await addSignedInLearners(database, {
      count,
      folder,
      publicUrl: product.url,
    })

    if (kind === 'exams') {
      await allowExam(database, learners)
    }

    await database.end()
    workload.start({ [kind === 'exams' ? 'taking' : 'watching']: learners, signVisit, everyMs: 0 })
    for (let kill = 1; kill <= killCount; kill++) {
      product = await killAndStart(product, workload, kind, kill)
    }

    await pause(2_000)
    await workload.stop()

    const afterwards = await connectDatabase({ folder })
    const problems = await workload.ledger.listProblems(afterwards)
    await afterwards.end()
    const refused = workload.failures.filter((failure) => / 4\d\d /.test(failure))
    for (const problem of [...problems, ...refused].slice(0, 20)) {
      console.log(`PROBLEM: ${problem}`)
    }

    const counts = kinds[kind].facts.map((fact) => `${workload.ledger.count(fact)} × ${fact}`)
    addResult({
      figure: `${kind}: acknowledged in ${killCount} kills`,
      value: `${counts.join(', ')}; ${problems.length + refused.length} problems`,
      goal: 'none lost, none doubled',
      isMet:
        problems.length + refused.length === 0 &&
        kinds[kind].facts.every((fact) => workload.ledger.count(fact) > 0),
    })
  } finally {
    await workload.stop().catch(() => {})
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function killAndStart(
  product: Product,
  workload: Workload,
  kind: Kind,
  kill: number,
): Promise<Product> {
  // Counted in answers, so that a slow machine has as much done as a fast one.
  const targetResponseCount =
    workload.responseCount + 1 + Math.floor(Math.random() * kinds[kind].mostAnswers)
  await waitUntil('answers', 120, () => workload.responseCount >= targetResponseCount)
  await pause(Math.random() * 50)
  process.stdout.write(`\rkilled ${kill} of ${killCount} times${kill === killCount ? '\n' : ''}`)
  const port = Number(new URL(product.url).port)

  return killProduct(product, {
    shouldKillDatabase: kill % 2 === 0,
    start: () => startProduct({ folder: product.folder, port }),
  })
}
