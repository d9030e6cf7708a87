/**
 * `node bench/orders.ts [ORDERS] [KILLS]`: 50 learners buy 2,000 courses and get money back for some, while the stand-in for
 * Stripe loses, doubles and reorders events and the product is killed (SIGKILL) 20 times, every second time together with its
 * database. Within two minutes after that, payments, orders, access, receipts, mails and sums have to agree. Then, with all
 * events lost, it measures the time from paid to lesson. Ends with status 1 if anything disagrees or takes too long.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { commandOf, connectDatabase, environmentOf, freePort, startProduct } from '../tests/support/product.ts'
import { addRow, percentile } from './figures.ts'
import { fillCatalog } from './fill-catalog.ts'
import { killProduct } from './kill-product.ts'
import { addSignedInLearners, courseId, filmId, type Learner } from './learners.ts'
import { startPayments } from './payments.ts'
import { until } from './visitors.ts'
import { Workload } from './workload.ts'

const [orderCount = 2_000, kills = 20] = process.argv.slice(2).map(Number)
const learnerCount = 50
const operatorRefunds = 20
const settleSeconds = 120
/** The longest time that a learner takes before an order. */
const thinkMs = 1_000
const mostEventDelayMs = 5_000
/** Between two of those who pay while all events are lost. */
const everyMs = 600
const chance = (share: number) => Math.random() < share

async function openSchool(deliver: (send: () => Promise<void>) => Promise<void>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-orders-'))
  const port = await freePort()
  const file = path.join(folder, 'payments.json')
  const payments = await startPayments(file, `http://localhost:${port}/payments/events`, deliver)
  const start = () => startProduct({ folder, port, variables: payments.variables })
  return {
    folder,
    payments,
    start,
    product: await start(),
    workload: new Workload(`http://localhost:${port}`),
    readBooks: async () => JSON.parse(await readFile(file, 'utf8')) as Books,
    async close() {
      await this.product.stop()
      await payments.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type School = Awaited<ReturnType<typeof openSchool>>
/** What the stand-in knows. */
type Books = {
  sessions: Record<string, { id: string; state: string; intentId: string; amount: number; metadata: { order: string } }>
  refunds: Record<string, { amount: number }>
}

async function proveBooks(): Promise<void> {
  let repeats = false
  const school = await openSchool(async (send) => {
    // Refunds that begin at the provider are known by their events only, which it repeats until one arrives.
    const insists = repeats
    if (!insists && chance(0.3)) return
    for (let times = chance(0.3) ? 2 : 1; times > 0; times--) {
      await pause(Math.random() * mostEventDelayMs)
      await send().catch(() => {})
    }
    if (insists) await insist(send)
  })
  const { folder, payments, workload } = school
  const refundThere = (intentId: string, amount: number) => {
    repeats = true
    payments.sample.refundAtProvider(intentId, amount)
    repeats = false
  }
  try {
    await fillCatalog(folder, 100)
    const database = await connectDatabase({ folder })
    const place = { count: learnerCount, folder, publicUrl: school.product.url }
    const { learners } = await addSignedInLearners(database, place)
    const { rows } = await database.query(
      `select id from courses where id like 'sample-%' and price_cents > 0 limit $1`,
      [Math.ceil(orderCount / learnerCount)],
    )
    await database.end()

    let done = 0
    const laterPayments: string[] = []
    const toRefund: string[] = []
    const shop = async (learner: Learner) => {
      for (const { id } of rows.toSorted(() => Math.random() - 0.5)) {
        await pause(Math.random() * thinkMs)
        const order = await buy(school, learner, id, laterPayments)
        done += 1
        if (!order || !chance(0.12)) continue
        const session = payments.sample.find(order.sessionId)
        if (session?.state === 'paid' && chance(0.6))
          refundThere(session.intentId, chance(0.5) ? session.amount : Math.ceil(session.amount / 3))
        else toRefund.push(order.id)
        if (chance(0.5)) await buy(school, learner, id, laterPayments)
      }
    }
    const shopping = Promise.all(learners.map(shop))
    // The await below reports the error; until then, it must not count as unhandled.
    shopping.catch(() => {})
    const working = refundByCommand(school, toRefund, () => done >= orderCount)
    for (let kill = 1; kill <= kills; kill++) {
      const due = ((kill - 0.5) / kills) * rows.length * learnerCount
      await until('orders', 600, () => done >= due)
      school.product = await killProduct(school.product, kill % 2 === 0, school.start)
      process.stdout.write(`\rkilled ${kill} of ${kills} times${kill === kills ? '\n' : ''}`)
    }
    await shopping
    for (const sessionId of laterPayments) await payments.sample.pay(sessionId, chance(0.7) ? 'paid' : 'failed')
    await working
    const began = performance.now()
    const afterwards = await connectDatabase({ folder })
    const secondsSince = () => (performance.now() - began) / 1000
    let left = await listProblems(school, afterwards)
    for (; left.length > 0 && secondsSince() < settleSeconds; left = await listProblems(school, afterwards)) {
      console.log(`after ${Math.round(secondsSince())} s: ${left.join('; ')}`)
      await pause(10_000)
    }
    const seconds = secondsSince()
    const problems = [...left, ...(await checkByCommand(school))]
    const refused = workload.failures.filter((failure) => / 4\d\d /.test(failure))
    for (const problem of [...problems, ...refused].slice(0, 20)) console.log(`PROBLEM: ${problem}`)
    const counts = await countBooks(afterwards)
    await afterwards.end()
    addRow({
      figure: `orders in ${kills} kills, events lost, doubled and reordered`,
      value: `${counts}; agreed after ${seconds.toFixed(0)} s; ${problems.length + refused.length} problems`,
      goal: `paid = access = one receipt = one mail, within ${settleSeconds} s`,
      met: problems.length + refused.length === 0,
    })
  } finally {
    await school.close()
  }
}

/** A learner orders a course, sometimes with a double click, and pays it in one of several ways. @returns what may be refunded. */
async function buy({ workload, payments }: School, { cookie }: Learner, course: string, later: string[]) {
  const order = async () => {
    for (;;) {
      const form = { company: '', address: '', vatNumber: '', country: '' }
      const { status, location } = await workload.ask('checkout', `/Checkout/${course}`, { cookie, form })
      if (status > 0 && status < 500) return location
      await pause(200)
    }
  }
  const pages = await Promise.all(chance(0.2) ? [order(), order()] : [order()])
  const [page = ''] = pages
  // The learner has the course, or a payment is on its way.
  if (!page.startsWith(payments.url)) return null
  if (new Set(pages).size > 1) workload.failures.push(`${course}: 499 a double click led to two pages`)
  if (chance(0.05)) return null
  const act = (name: string) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ act: name }), redirect: 'manual' })
  if (chance(0.1)) await act('decline')
  const isLater = chance(0.1)
  const { headers } = await act(isLater ? 'later' : 'pay')
  const sessionId = page.split('/').at(-1) ?? ''
  if (isLater) later.push(sessionId)
  const back = new URL(headers.get('location') ?? page)
  if (chance(0.6)) await workload.ask('paid', back.pathname + back.search, { cookie })
  return { id: back.searchParams.get('order') ?? '', sessionId }
}

async function insist(send: () => Promise<void>): Promise<void> {
  for (let isTaken = false; !isTaken; ) {
    isTaken = await send().then(
      () => true,
      () => false,
    )
    if (!isTaken) await pause(500)
  }
}

const admin = ({ folder, payments, product }: School, ...words: string[]) =>
  promisify(execFile)('sh', ['-c', `${commandOf('admin')} "$@"`, 'sh', ...words], {
    env: { ...environmentOf(), DATA_DIR: folder, PUBLIC_URL: product.url, ...payments.variables },
  })

/** Operators give money back while the product is killed; the command may fail, and is not repeated. */
async function refundByCommand(school: School, toRefund: string[], isOver: () => boolean): Promise<void> {
  for (let refunds = 0; refunds < operatorRefunds && !(isOver() && toRefund.length === 0); ) {
    const id = toRefund.shift()
    if (!id) await pause(200)
    else {
      refunds += 1
      await admin(school, 'orders', 'refund', id, 'bench', ...(chance(0.5) ? ['--amount', '1'] : [])).catch(() => {})
    }
  }
}

async function checkByCommand(school: School): Promise<string[]> {
  const { stdout } = await admin(school, 'orders', 'check', '--provider')
  return stdout.includes('agree') ? [] : stdout.trim().split('\n')
}

/** Queries of orders that contradict what was promised. */
const contradictions = {
  'a paid order is not enrolled exactly once': `select id from orders o where state = 'paid' and 1 <>
    (select count(*) from enrollments e where e.uid = o.uid and e.course_id = o.course_id)`,
  'a course is open without a paid order': `select uid as id from enrollments e where by_order and not exists
    (select from orders o where o.uid = e.uid and o.course_id = e.course_id and o.state = 'paid')`,
  'an order that was paid has not one receipt': `select id from orders o where paid_at is not null and 1 <>
    (select count(*) from receipts r where r.order_id = o.id and r.document ->> 'kind' = 'receipt')`,
  'a charge bought nothing and did not go back': `select l.order_id as id from ledger l where kind = 'charge'
    and not exists (select from receipts r where r.ledger_id = l.id)
    and not exists (select from refunds r where r.payment_id = l.id and r.state = 'succeeded')`,
  'a refund waits': `select order_id as id from refunds where state in ('requested', 'pending')`,
  'a mail waits': `select order_id as id from outbox where order_id is not null`,
  'receipts have a gap': `select max(number)::text as id from receipts having max(number) <> count(*)`,
}

async function listProblems(school: School, database: Client): Promise<string[]> {
  const problems: string[] = []
  for (const [what, query] of Object.entries(contradictions)) {
    const { rows } = await database.query<{ id: string }>(query)
    if (rows.length > 0) problems.push(`${what}: ${rows.length} times, such as ${rows[0]?.id}`)
  }
  const { sessions, refunds } = await school.readBooks()
  const paid = Object.values(sessions).filter(({ state }) => state === 'paid')
  const known = await database.query<{ id: string }>(`select session_id as id from payments where state = 'succeeded'`)
  const here = new Set(known.rows.map(({ id }) => id))
  const unpaid = paid.filter(({ id }) => !here.has(id))
  if (unpaid.length > 0)
    problems.push(`paid there, and not here: ${unpaid.length}, such as ${unpaid[0]?.metadata.order}`)

  const sumOf = (list: { amount: number }[]) => list.reduce((sum, { amount }) => sum + amount, 0)
  const there = sumOf(paid) - sumOf(Object.values(refunds))
  const { rows } = await database.query('select coalesce(sum(amount_minor), 0)::int as sum from ledger')
  if (rows[0].sum !== there) problems.push(`the ledger has ${rows[0].sum}, the provider ${there}`)

  const mails = await countMails(path.join(school.folder, 'mail'))
  const issued = await database.query<{ id: string; documents: number }>(
    'select order_id as id, count(*)::int as documents from receipts group by order_id',
  )
  const wrong = issued.rows.filter(({ id, documents }) => mails.get(id)?.size !== documents)
  if (wrong.length > 0) problems.push(`not one mail a receipt or credit note: ${wrong.length}, such as ${wrong[0]?.id}`)
  return problems
}

/** @returns by order the mails' message ids; a kill between sending and noting it sends the same one again. */
async function countMails(folder: string): Promise<Map<string, Set<string>>> {
  const mails = new Map<string, Set<string>>()
  // Mails that are being written begin with a dot.
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'))
  for (const name of names) {
    const text = await readFile(path.join(folder, name), 'utf8')
    const order = /order number is (\w{10})/.exec(text.replaceAll(/=\n/g, '').replaceAll('\n', ' '))?.[1] ?? name
    mails.set(order, (mails.get(order) ?? new Set()).add(/^message-id: (.*)$/im.exec(text)?.[1] ?? name))
  }
  return mails
}

async function countBooks(database: Client): Promise<string> {
  const { rows } = await database.query(`select count(*)::int as orders, count(paid_at)::int as paid,
    (select count(*)::int from refunds where state = 'succeeded') as refunds from orders`)
  return `${rows[0].orders} orders, ${rows[0].paid} paid, ${rows[0].refunds} refunds`
}

/** With all events lost: from paid to lesson by the page after paying, and with the tab closed, while others don't pay at all. */
async function measureAccess(): Promise<void> {
  const count = { returning: 150, closed: 150, undecided: 300 }
  const school = await openSchool(async () => {})
  const { folder, product, workload } = school
  try {
    const database = await connectDatabase({ folder })
    const total = count.returning + count.closed + count.undecided
    const { learners } = await addSignedInLearners(database, { count: total, folder, publicUrl: product.url })
    await database.query('delete from enrollments')
    const form = { company: '', address: '', vatNumber: '', country: '' }
    const lesson = `/Learn/${courseId}/${filmId}`
    const times = { returning: [] as number[], closed: [] as number[] }
    const pageOf = async ({ cookie }: Learner) =>
      (await workload.ask('checkout', `/Checkout/${courseId}`, { cookie, form })).location
    const pay = (page: string) =>
      fetch(page, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' })
    const isOpen = async ({ cookie }: Learner) => (await workload.ask('lesson', lesson, { cookie })).status === 200

    const undecided = learners.splice(0, count.undecided)
    for (const learner of undecided) await pageOf(learner)
    const paidAt = new Map<string, number>()
    const closed = learners.splice(0, count.closed).map(async (learner, place) => {
      await pause(place * everyMs)
      await pay(await pageOf(learner))
      paidAt.set(learner.uid, performance.now())
    })
    const returning = learners.map(async (learner, place) => {
      await pause((place + 0.5) * everyMs)
      const page = await pageOf(learner)
      const began = performance.now()
      const back = new URL((await pay(page)).headers.get('location') ?? page)
      await workload.ask('paid', back.pathname + back.search, { cookie: learner.cookie })
      if (await isOpen(learner)) times.returning.push(performance.now() - began)
    })
    let isOver = false
    const work = Promise.all([...closed, ...returning]).finally(() => {
      isOver = true
    })
    work.catch(() => {})
    await until('lessons', 600, async () => {
      const { rows } = await database.query<{ uid: string }>('select uid from enrollments')
      const opened = rows.flatMap(({ uid }) => {
        const at = paidAt.get(uid)
        return at && paidAt.delete(uid) ? [performance.now() - at] : []
      })
      times.closed.push(...opened)
      return isOver && paidAt.size === 0
    })
    await work
    await database.end()
    for (const [way, goal] of [
      ['returning', 2],
      ['closed', 60],
    ] as const) {
      const p99 = percentile(times[way], 0.99) / 1000
      addRow({
        figure: `all events lost: paid to lesson, ${way === 'returning' ? 'by the page after paying' : 'with the tab closed'}`,
        value: `p99 ${p99.toFixed(1)} s of ${times[way].length}`,
        goal: `p99 ${goal} s`,
        met: p99 <= goal && times[way].length === count[way],
      })
    }
  } finally {
    await school.close()
  }
}

if (orderCount > 0) await proveBooks()
await measureAccess()
