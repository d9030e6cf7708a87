import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as tables from '~/server/database/schema'
import type { SiteValues } from '~/server/site/site-values'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'
import { startStripeStandIn } from '../../../tests/support/stripe-stand-in'

const publicUrl = 'http://localhost:9'
const coursePath = '/OneCourse/python-from-zero'
const checkoutPath = '/Checkout/python-from-zero'
const testKey = 'sk_test_0123456789abcdEFGH'
const webhookSecret = 'whsec_0123456789abcdWXYZ'
const stripeForm = { intent: 'payments', mode: 'stripe', secretKey: testKey, webhookSecret }
const sampleForm = { intent: 'payments', mode: 'sample' }

let folder: string
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>
let settings: Record<string, string>
/** The process in which the owner changes the payments. */
let server: DeskServer
/** Another process on the same database. */
let otherServer: ProductServer
let closeShops: (() => Promise<void>)[]
let letOtherServerNotice: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-payments-'))
  standIn = await startStripeStandIn(path.join(folder, 'stripe.json'))
  settings = {
    PUBLIC_URL: publicUrl,
    DATA_DIR: folder,
    STRIPE_API_URL: standIn.url,
    STRIPE_CHECKOUT_ORIGIN: standIn.url,
  }
  server = await startDeskServer(settings)
  const closeShop = await openShop()
  await server.signUp('owner', 'owner')
  await server.signUp('manager', 'manager')
  await server.signUp('learner')
  for (const name of ['buyer', 'enroller', 'withdrawer', 'waiter']) {
    await server.signUp(name)
  }

  settings.DATABASE_URL = String(process.env.DATABASE_URL)
  otherServer = await startProductServer(settings)
  closeShops = [closeShop, await openShop()]
  const { updateSharedState } = await import('~/server/cache/shared-state.server')
  const { refreshSite } = await import('~/server/site/site.server')
  letOtherServerNotice = () => updateSharedState(() => refreshSite(server.db), server.db)
})
afterAll(async () => {
  for (const closeShop of closeShops) {
    await closeShop()
  }

  await otherServer.stop()
  await server.stop()
  standIn.stop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await server.db.delete(tables.siteVersions)
  await server.db.update(tables.productState).set({ version: sql`version + 1` })
  // An order with a payment stays, because nothing in the ledger can be deleted.
  const isUnpaid = isNull(tables.orders.paidAt)
  const unpaidOrders = server.db
    .select({ id: tables.orders.id })
    .from(tables.orders)
    .where(isUnpaid)
  await server.db.delete(tables.payments).where(inArray(tables.payments.orderId, unpaidOrders))
  await server.db.delete(tables.orders).where(isUnpaid)
  await server.get('owner', '/Desk/Site')
  await letOtherServerNotice()
  standIn.receivedKeys.length = 0
  standIn.refusedKeys.clear()
})

async function openShop() {
  const { openShop } = await import('~/features/orders/open-shop.server')
  return openShop()
}

const sendForm = (form: Record<string, string>, name = 'owner') =>
  server.post(name, '/Desk/Site', { seen: '0', ...form })

/** Sends a form of the owner to the other process. */
const sendToOtherServer = (form: Record<string, string>) =>
  otherServer.request('/Desk/Site', {
    method: 'POST',
    headers: { ...server.headers, Cookie: server.getCookie('owner') },
    body: new URLSearchParams(form).toString(),
  })

const listVersions = () =>
  server.db.select().from(tables.siteVersions).where(eq(tables.siteVersions.part, 'payments'))

/** Opens or submits checkout. */
async function openCheckout(
  process: Pick<ProductServer, 'request'>,
  { method = 'GET', name = 'learner' }: { method?: 'GET' | 'POST'; name?: string } = {},
) {
  return process.request(checkoutPath, {
    method,
    headers: { ...server.headers, Accept: 'text/html', Cookie: server.getCookie(name) },
    body: method === 'POST' ? '' : undefined,
  })
}

/** Sends an event to the other process as Stripe does, signed with a secret. Returns the status. */
async function sendEvent(secret: string): Promise<number> {
  const payload = JSON.stringify({ id: 'evt_1', type: 'customer.created', data: { object: {} } })
  const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret })
  const { status } = await otherServer.request('/payments/events', {
    method: 'POST',
    headers: { Host: server.headers.Host, 'Stripe-Signature': signature },
    body: payload,
  })

  return status
}

/** Submits the button 'Enroll Now' to the other process. */
function enroll(name: string) {
  return otherServer.request('/Enrollments', {
    method: 'POST',
    headers: { ...server.headers, Cookie: server.getCookie(name) },
    body: 'courseIds=python-from-zero',
  })
}

async function isEnrolled(name: string): Promise<boolean> {
  const uid = server.getUid(name)
  return (await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, uid))) > 0
}

/** Buys the course with Stripe. Returns the ID of the paid order. */
async function buyCourse(name: string): Promise<string> {
  const { headers } = await openCheckout(server, { method: 'POST', name })
  await standIn.payments.pay(String(headers.location).split('/').at(-1) ?? '', 'paid')
  const [order] = await server.db
    .select()
    .from(tables.orders)
    .where(eq(tables.orders.uid, server.getUid(name)))
  if (!order) {
    throw new Error('Checkout stores an order.')
  }

  await syncOrder(order.id)
  return order.id
}

/** Brings an order in line with Stripe in the other process. */
async function syncOrder(orderId: string) {
  await letOtherServerNotice()
  const { currentShop } = await import('~/features/orders/open-shop.server')
  const { syncOrderWithProvider } = await import('~/features/orders/payments/sync-order.server')
  if (currentShop === null) {
    throw new Error('Payments are on.')
  }

  await syncOrderWithProvider(currentShop, orderId)
}

async function findOrder(orderId: string) {
  const [order] = await server.db.select().from(tables.orders).where(eq(tables.orders.id, orderId))
  return order
}

const countCoursesForSale = () =>
  server.db.$count(
    tables.courses,
    and(eq(tables.courses.published, true), gt(tables.courses.priceMinor, 0)),
  )

describe('payments and a currency with other decimal places', () => {
  const currencyForm = { intent: 'currency', currency: 'KWD', seen: '0' }

  it('are never changed at the same time in two processes', async () => {
    const responses = await Promise.all([sendForm(sampleForm), sendToOtherServer(currencyForm)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('are not changed before the other process has noticed that courses are sold', async () => {
    await sendForm(sampleForm)
    const { status, body } = await sendToOtherServer(currencyForm)

    expect([status, body.includes('which isn’t possible while courses are sold')]).toEqual([
      400,
      true,
    ])
  })

  it('are changed at the desk alone: the owner pauses sales, changes the currency, and sells again', async () => {
    await sendForm(sampleForm)
    const refused = await sendForm(currencyForm)
    expect([
      refused.status,
      refused.body.includes('Under Payments, pause sales and save. Then save the currency'),
    ]).toEqual([400, true])

    await sendForm({ ...sampleForm, mode: 'paused', confirmStop: 'on', seen: '1' })
    expect((await sendForm(currencyForm)).status).toBe(200)

    const [load] = await server.db.select().from(tables.contentState)
    const recordLoad = (hash = '') => server.db.update(tables.contentState).set({ hash })
    onTestFinished(async () => void (await recordLoad(load?.hash)))
    // This is what the table says after the files were read with the three decimals of the dinar.
    await recordLoad(load?.hash.replace(/\.2$/, '.3'))
    expect((await sendForm({ ...sampleForm, seen: '2' })).status).toBe(200)
  })

  it('are not changed before all prices are read in the new currency', async () => {
    expect((await sendToOtherServer(currencyForm)).status).toBe(200)

    const [load] = await server.db.select().from(tables.contentState)
    const recordLoad = (hash = '') => server.db.update(tables.contentState).set({ hash })
    onTestFinished(async () => void (await recordLoad(load?.hash)))
    const refused = await sendForm(sampleForm)
    expect([
      refused.status,
      refused.body.includes('have not been read in the new currency yet. Try again in a few'),
    ]).toEqual([400, true])

    // This is what the table says after the files were read with the three decimals of the dinar.
    await recordLoad(load?.hash.replace(/\.2$/, '.3'))
    expect((await sendForm(sampleForm)).status).toBe(200)
  })
})

describe('sample payments', () => {
  it('open and close the shop of every process without a restart', async () => {
    for (const process of [server, otherServer]) {
      expect((await openCheckout(process)).headers.location).toBe(coursePath)
    }

    const saved = await sendForm(sampleForm)
    expect([saved.status, saved.body.includes('Payments: saved.')]).toEqual([200, true])

    await letOtherServerNotice()
    for (const process of [server, otherServer]) {
      expect((await openCheckout(process)).status).toBe(200)
    }
    const payment = await openCheckout(otherServer, { method: 'POST' })
    expect(payment.headers.location).toContain('/sample-payments/')

    const stripe = { ...stripeForm, seen: '1' }
    const refused = await sendForm(stripe)
    expect([
      refused.status,
      refused.body.includes('1 payment or refund isn’t settled yet.'),
    ]).toEqual([400, true])
    expect((await sendForm({ ...stripe, confirmUnsettled: 'on' })).status).toBe(200)
  })
})

it('a payment page that is just being opened asks for a confirmation, too', async () => {
  await sendForm(stripeForm)
  await openCheckout(server, { method: 'POST' })
  await server.db
    .update(tables.payments)
    .set({ sessionId: null })
    .where(eq(tables.payments.status, 'started'))
  const refused = await sendForm({ ...sampleForm, seen: '1' })

  expect([refused.status, refused.body.includes('1 payment or refund isn’t settled yet.')]).toEqual(
    [400, true],
  )
})

it('payments can be off only before the first order, and the owner confirms that courses become free', async () => {
  await sendForm(sampleForm)
  const off = { ...sampleForm, mode: 'off', seen: '1' }
  const count = await countCoursesForSale()
  const refused = await sendForm(off)
  expect([
    refused.status,
    refused.body.includes(`${count} courses with a price become free.`),
  ]).toEqual([400, true])
  expect(refused.body).toContain('name="confirmStop"')
  expect((await sendForm({ ...off, confirmStop: 'on' })).status).toBe(200)

  await letOtherServerNotice()
  await enroll('enroller')
  expect(await isEnrolled('enroller')).toBe(true)

  await sendForm({ ...sampleForm, seen: '2' })
  expect((await openCheckout(server, { method: 'POST' })).status).toBe(303)

  const afterOrder = await sendForm({ ...off, confirmStop: 'on', seen: '3' })
  expect([afterOrder.status, afterOrder.body.includes('There is an order')]).toEqual([400, true])
})

describe('while sales are paused', () => {
  const pauseForm = { intent: 'payments', mode: 'paused', seen: '1' }

  it('courses with a price are neither sold nor given away, after the owner has confirmed it', async () => {
    await sendForm(sampleForm)
    const count = await countCoursesForSale()
    const refused = await sendForm(pauseForm)
    expect([
      refused.status,
      refused.body.includes(
        `${count} courses with a price can’t be bought while sales are paused.`,
      ),
    ]).toEqual([400, true])
    expect(refused.body).toContain('name="confirmStop"')
    expect((await openCheckout(server)).status).toBe(200)

    expect((await sendForm({ ...pauseForm, confirmStop: 'on' })).status).toBe(200)

    await letOtherServerNotice()
    for (const process of [server, otherServer]) {
      const page = await openCheckout(process, { method: 'POST' })
      expect(page.headers.location).toBe(coursePath)
    }
    expect((await server.get('visitor', coursePath)).body).toContain(
      'This course can’t be bought at the moment.',
    )
    expect((await enroll('learner')).headers.location).toBe(checkoutPath)
    expect(await isEnrolled('learner')).toBe(false)
    expect((await server.get('manager', '/Desk')).body).toContain('Sales are paused')
  })

  it('the owner confirms that courses become free', async () => {
    await sendForm(sampleForm)
    await sendForm({ ...pauseForm, confirmStop: 'on' })
    const off = { ...sampleForm, mode: 'off', seen: '2' }
    const count = await countCoursesForSale()
    const refused = await sendForm(off)
    expect([
      refused.status,
      refused.body.includes(`${count} courses with a price become free.`),
    ]).toEqual([400, true])
    expect(refused.body).toContain('name="confirmStop"')
    expect((await sendForm({ ...off, confirmStop: 'on' })).status).toBe(200)
  })

  it('a learner withdraws, and Stripe returns the money', async () => {
    await sendForm(stripeForm)
    const orderId = await buyCourse('withdrawer')
    await sendForm({ ...pauseForm, confirmStop: 'on' })
    await letOtherServerNotice()

    const withdrawalPath = `/Profile/purchases/${orderId}/withdrawal`

    expect((await server.get('withdrawer', '/Profile/purchases')).body).toContain(withdrawalPath)
    expect((await server.post('withdrawer', withdrawalPath, {})).status).toBe(303)
    expect(await findOrder(orderId)).toMatchObject({ status: 'refunded' })
    expect((await server.get('visitor', '/Refund')).status).toBe(200)
  })

  it('a withdrawal waits visibly if the keys were removed, and is paid once they are back', async () => {
    await sendForm(stripeForm)
    const orderId = await buyCourse('waiter')
    await sendForm({ ...pauseForm, confirmStop: 'on', remove: 'on' })
    await letOtherServerNotice()

    expect(
      (await server.post('waiter', `/Profile/purchases/${orderId}/withdrawal`, {})).status,
    ).toBe(303)
    expect(await findOrder(orderId)).toMatchObject({ status: 'paid' })

    const today = await server.get('owner', '/Desk')
    expect(today.body).toContain('The keys of Stripe were removed, so no refund can be sent.')

    const orderPage = await server.get('owner', `/Desk/Orders/${orderId}`)
    expect(orderPage.body).toContain('requested')

    const again = { ...stripeForm, seen: '2', confirmUnsettled: 'on' }
    expect((await sendForm(again)).status).toBe(200)

    await syncOrder(orderId)
    expect(await findOrder(orderId)).toMatchObject({ status: 'refunded' })
  })
})

describe('Stripe’s keys', () => {
  it('sell a course in every process, and a replaced key is used by the next request', async () => {
    expect((await sendForm(stripeForm)).status).toBe(200)

    await letOtherServerNotice()
    const { headers } = await openCheckout(otherServer)
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${standIn.url}`)

    const payment = await openCheckout(otherServer, { method: 'POST', name: 'buyer' })
    expect([payment.status, payment.headers.location]).toEqual([
      303,
      expect.stringContaining(`${standIn.url}/pay/`),
    ])
    expect(new Set(standIn.receivedKeys)).toEqual(new Set([testKey]))

    const sessionId = String(payment.headers.location).split('/').at(-1) ?? ''
    await standIn.payments.pay(sessionId, 'paid')
    standIn.receivedKeys.length = 0
    const newKey = 'rk_live_0123456789abcdIJKL'
    const replaced = { ...stripeForm, secretKey: newKey, seen: '1' }
    expect((await sendForm(replaced)).status).toBe(400)
    expect((await sendForm({ ...replaced, confirmUnsettled: 'on' })).status).toBe(200)

    await letOtherServerNotice()
    const [order] = await server.db
      .select()
      .from(tables.orders)
      .where(eq(tables.orders.uid, server.getUid('buyer')))
    const orderId = String(order?.id)
    const paidPage = await otherServer.request(`${checkoutPath}/paid?order=${orderId}`, {
      headers: { ...server.headers, Cookie: server.getCookie('buyer') },
    })
    expect(paidPage.status).toBe(200)
    expect(new Set(standIn.receivedKeys)).toEqual(new Set([newKey]))
    expect(await findOrder(orderId)).toMatchObject({ status: 'paid' })
  })

  it('are used by a checkout at once, even in a process that has not noticed the change yet', async () => {
    await sendForm(stripeForm)
    await letOtherServerNotice()
    const newKey = 'sk_test_0123456789abcdIJKL'
    await sendForm({ ...stripeForm, secretKey: newKey, seen: '1' })
    standIn.receivedKeys.length = 0

    expect((await openCheckout(otherServer, { method: 'POST' })).status).toBe(303)
    expect(new Set(standIn.receivedKeys)).toEqual(new Set([newKey]))
  })

  it('are used by the background jobs of every process', async () => {
    const { backgroundWork } = await import('~/server/operations/background-work.server')
    const schedule = vi.spyOn(backgroundWork, 'schedule')
    await sendForm(stripeForm)
    await letOtherServerNotice()
    const jobs = schedule.mock.calls.map(([job]) => job)
    schedule.mockRestore()
    expect(jobs.map(({ name }) => name)).toEqual([
      'orders',
      'missed payment events',
      'receipt files',
    ])

    for (const { run } of jobs) {
      await run(() => true)
    }
    expect(new Set(standIn.receivedKeys)).toEqual(new Set([testKey]))
  })

  it('check the signature of events in every process', async () => {
    expect(await sendEvent(webhookSecret)).toBe(404)

    await sendForm(stripeForm)
    await letOtherServerNotice()
    expect(await sendEvent(webhookSecret)).toBe(200)
    expect(await sendEvent('whsec_another_secret')).toBe(400)

    const newSecret = 'whsec_fedcba9876543210'
    await sendForm({ intent: 'payments', mode: 'stripe', seen: '1', webhookSecret: newSecret })
    await letOtherServerNotice()
    expect(await sendEvent(newSecret)).toBe(200)
    expect(await sendEvent(webhookSecret)).toBe(400)
  })

  it('are stored encrypted, and no page, version or audit entry contains them', async () => {
    const saved = await sendForm(stripeForm)
    const pages = [
      saved,
      await server.get('owner', '/Desk/Site'),
      await server.get('owner', '/Desk/Site/History'),
      await server.get('owner', '/Desk/Audit'),
    ]
    const [version] = await listVersions()
    const payments = version?.value as SiteValues['payments'] | undefined
    const storedKeys = Object.values(payments?.keys ?? {})
    expect(storedKeys).toHaveLength(2)

    const rows = JSON.stringify([version, await server.listAuditEntries()])
    for (const text of [...pages.map(({ body }) => body), rows]) {
      expect(text).toContain('sk_test_...EFGH')
      expect(text).not.toContain(testKey)
      expect(text).not.toContain(webhookSecret)
    }

    for (const { encrypted } of storedKeys) {
      expect(pages.filter(({ body }) => body.includes(encrypted))).toEqual([])
    }

    expect((await server.listAuditEntries())[0]).toMatchObject({
      act: 'site change',
      by: server.getUid('owner'),
      changes: {
        payments: { to: 'Stripe in test mode, keys sk_test_...EFGH and whsec_...WXYZ' },
      },
    })
  })

  it('stay in every mode, until the owner removes them for good', async () => {
    await sendForm(stripeForm)
    await sendForm({ ...sampleForm, seen: '1' })
    await letOtherServerNotice()
    expect(await sendEvent(webhookSecret)).toBe(400)

    await sendForm({ intent: 'payments', mode: 'stripe', seen: '2' })
    await letOtherServerNotice()
    expect(await sendEvent(webhookSecret)).toBe(200)

    const stripeWithoutKeys = { intent: 'payments', mode: 'stripe', remove: 'on', seen: '3' }
    expect((await sendForm(stripeWithoutKeys)).status).toBe(400)

    const removed = await sendForm({ ...stripeWithoutKeys, mode: 'paused', confirmStop: 'on' })
    expect([removed.status, removed.body.includes('EFGH')]).toEqual([200, false])
    expect(await listVersions()).toMatchObject([
      { version: 4, value: { mode: 'stripe', isPaused: true, keys: null } },
    ])
    expect((await server.listAuditEntries())[0]).toMatchObject({
      changes: {
        payments: {
          from: 'Stripe in test mode, keys sk_test_...EFGH and whsec_...WXYZ',
          to: 'paused, nothing can be bought; Stripe',
        },
      },
    })
  })

  it('are not undone, so that a replaced key doesn’t come back', async () => {
    await sendForm(stripeForm)
    await sendForm({ ...stripeForm, secretKey: 'sk_live_0123456789abcdMNOP', seen: '1' })
    expect(await listVersions()).toMatchObject([{ version: 2 }])

    const { body } = await server.get('owner', '/Desk/Site')
    expect(body).not.toContain('Undo the last change: Payments')

    for (const version of ['0', '1']) {
      const undo = { intent: 'restoreProven', part: 'payments', version, seen: '2' }
      expect((await sendForm(undo)).status).toBe(400)
    }
  })

  it('say on Today that they are for tests', async () => {
    const warning = 'Payments are in test mode'
    expect((await server.get('manager', '/Desk')).body).not.toContain(warning)

    await sendForm(stripeForm)
    expect((await server.get('manager', '/Desk')).body).toContain(warning)

    await sendForm({ ...stripeForm, seen: '1', secretKey: testKey.replace('test', 'live') })
    expect((await server.get('manager', '/Desk')).body).not.toContain(warning)
  })

  it('are refused at the field of the secret key if Stripe does not know it', async () => {
    standIn.refusedKeys.add(testKey)
    const { status, body } = await sendForm(stripeForm)
    expect(status).toBe(400)
    expect(body).toMatch(/aria-invalid="true"[^>]*name="secretKey"/)
    expect(body).toContain('Stripe refuses this key.')
    expect(await listVersions()).toEqual([])

    standIn.refusedKeys.clear()
    expect((await sendForm(stripeForm)).body).toContain('Payments: saved.')

    standIn.refusedKeys.add(testKey)
    await sendForm({ ...sampleForm, seen: '1' })
    const kept = await sendForm({ intent: 'payments', mode: 'stripe', seen: '2' })
    expect([kept.status, kept.body.includes('Stripe refuses this key.')]).toEqual([400, true])
  })

  it('that Stripe refuses later are reported on Today until it accepts them', async () => {
    await sendForm(stripeForm)
    standIn.refusedKeys.add(testKey)
    expect((await openCheckout(server, { method: 'POST' })).status).toBe(503)

    const problem = 'Stripe refuses the secret key, which may have been revoked.'
    expect((await server.get('owner', '/Desk')).body).toContain(problem)
    expect((await server.get('owner', '/Desk/Site')).body).toContain(problem)

    standIn.refusedKeys.clear()
    expect((await openCheckout(server, { method: 'POST' })).status).toBe(303)
    expect((await server.get('owner', '/Desk')).body).not.toContain(problem)
  })

  it('are saved while Stripe can’t be reached, and the owner is told', async () => {
    const offline = await restart({ STRIPE_API_URL: 'http://127.0.0.1:1' })
    const { status, body } = await offline.post('owner', '/Desk/Site', { ...stripeForm, seen: '0' })
    expect([
      status,
      body.includes('Stripe can’t be reached right now, so the key was not checked.'),
    ]).toEqual([200, true])

    await offline.stop()
  })

  it('need another webhook secret for a live key than for a test key', async () => {
    await sendForm(stripeForm)
    const liveKey = { ...stripeForm, seen: '1', secretKey: testKey.replace('test', 'live') }
    const { status, body } = await sendForm({ ...liveKey, webhookSecret: '' })

    expect(status).toBe(400)
    expect(body).toMatch(/aria-invalid="true"[^>]*name="webhookSecret"/)
    expect((await sendForm(liveKey)).status).toBe(200)
  })

  it.each([
    ['secretKey', ''],
    ['secretKey', 'pk_test_0123456789abcd'],
    ['secretKey', 'sk_test_'],
    ['webhookSecret', ''],
    ['webhookSecret', testKey],
  ])('are refused with a sentence at the field %s for ‘%s’', async (name, value) => {
    const { status, body } = await sendForm({ ...stripeForm, [name]: value })

    expect(status).toBe(400)
    expect(body).toMatch(new RegExp(`aria-invalid="true"[^>]*name="${name}"`))
    expect([body.includes(testKey), body.includes(webhookSecret)]).toEqual([false, false])
    expect(await listVersions()).toEqual([])
  })
})

it('payments can be changed by owners only, after a sign-in within the last 15 minutes', async () => {
  expect((await sendForm(stripeForm, 'manager')).status).toBe(404)

  const setConfirmed = (minutesAgo: number) =>
    server.db
      .update(tables.sessions)
      .set({ confirmedAt: new Date(Date.now() - minutesAgo * 60_000) })
  await setConfirmed(20)
  const refusal = await sendForm(stripeForm)
  expect([refusal.status, refusal.body.includes(testKey)]).toEqual([403, false])

  await setConfirmed(0)
  expect(await listVersions()).toEqual([])
})

describe('after a start with another secret', () => {
  const newSecret = 'the secret of another server, 0123456789'

  it('nothing can be paid for, and the desk asks for the keys again', async () => {
    await sendForm(stripeForm)
    const restored = await restart({ AUTH_SECRET: newSecret })
    const submission = await openCheckout(restored, { method: 'POST' })
    expect([submission.status, submission.body.includes('can’t be reached right now')]).toEqual([
      503,
      true,
    ])

    const { readiness } = await import('~/server/operations/readiness.server')
    expect((await readiness.report()).warnings.payments).toContain('Payments don’t work')
    expect((await restored.get('owner', '/Desk')).body).toContain('Payments don’t work')
    expect((await restored.get('owner', '/Desk/Site')).body).toContain('can’t be decrypted')

    const keptKeys = { intent: 'payments', seen: '1', mode: 'stripe' }
    expect((await restored.post('owner', '/Desk/Site', keptKeys)).status).toBe(400)

    const sameKeys = { ...stripeForm, seen: '1' }
    expect((await restored.post('owner', '/Desk/Site', sameKeys)).status).toBe(200)
    expect((await openCheckout(restored, { method: 'POST' })).status).toBe(303)
    expect((await readiness.report()).warnings.payments).toBeUndefined()

    await restored.stop()
  })

  it('the keys stay in the database whatever else is saved, until they are replaced or removed', async () => {
    await sendForm(stripeForm)
    const [before] = await listVersions()
    const payments = before?.value as SiteValues['payments'] | undefined
    const keys = payments?.keys
    const restored = await restart({ AUTH_SECRET: newSecret })
    const sample = { ...sampleForm, seen: '1' }
    expect((await restored.post('owner', '/Desk/Site', sample)).status).toBe(200)
    expect(await listVersions()).toMatchObject([{ version: 2, value: { mode: 'sample', keys } }])

    const { body } = await restored.get('owner', '/Desk/Site')
    expect(body).toContain('This server can’t decrypt it')
    expect(body).toContain('name="remove"')

    await restored.stop()

    const returned = await restart({})
    const stripe = { intent: 'payments', mode: 'stripe', seen: '2' }
    expect((await returned.post('owner', '/Desk/Site', stripe)).status).toBe(200)
    expect((await openCheckout(returned, { method: 'POST' })).status).toBe(303)
    expect(standIn.receivedKeys.at(-1)).toBe(testKey)

    await returned.stop()
  })

  it('that names the previous one, the keys are encrypted again with the new secret', async () => {
    await sendForm(stripeForm)
    const previousSecret = await readSecret()
    const rotated = await restart({ AUTH_SECRET: newSecret, AUTH_SECRET_FORMER: previousSecret })
    await rotated.stop()

    const withoutPrevious = await restart({ AUTH_SECRET: newSecret })
    expect((await openCheckout(withoutPrevious, { method: 'POST' })).status).toBe(303)
    expect(standIn.receivedKeys.at(-1)).toBe(testKey)

    await withoutPrevious.stop()
  })
})

it('the environment overrides the desk, which shows the payments as fixed', async () => {
  await sendForm(sampleForm)
  const fixed = await restart({
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_0123456789abcdQRST',
    // The end of a key that is this short would reveal too much of it.
    STRIPE_WEBHOOK_SECRET: 'whsec_short',
  })
  const { body } = await fixed.get('owner', '/Desk/Site')
  expect(body).toContain('Stripe, keys sk_live_...QRST and whsec_...</span>')
  expect(body).toContain('has set PAYMENTS, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET')
  expect(body).not.toContain('name="secretKey"')

  const refusal = await fixed.post('owner', '/Desk/Site', { ...sampleForm, seen: '1' })
  expect([refusal.status, refusal.body.includes('The operator has set PAYMENTS')]).toEqual([
    400,
    true,
  ])
  expect((await openCheckout(fixed, { method: 'POST' })).status).toBe(303)
  expect(standIn.receivedKeys.at(-1)).toBe('sk_live_0123456789abcdQRST')

  await fixed.stop()
})

it('sample payments from the desk are not taken where learners could think they are real', async () => {
  await sendForm(sampleForm)
  const server = await restart({ PUBLIC_URL: 'https://school.example' })
  expect((await server.get('owner', '/Desk')).body).toContain('Payments don’t work')
  expect((await server.post('owner', '/Desk/Site', { ...sampleForm, seen: '1' })).status).toBe(400)

  await server.stop()
})

/** Starts another process on the same database, with other settings of the operator. */
async function restart(changedSettings: Record<string, string>) {
  const restarted = await startDeskServer({ ...settings, ...changedSettings })
  const closeShop = await openShop()
  await restarted.signIn('owner')
  await restarted.signIn('learner')

  return {
    ...restarted,
    request: (target: string, options: Parameters<typeof restarted.request>[1]) =>
      restarted.request(target, {
        ...options,
        headers: { ...options?.headers, Cookie: restarted.getCookie('learner') },
      }),
    async stop() {
      await closeShop()
      await restarted.stop()
      for (const [name, value] of Object.entries(settings)) {
        vi.stubEnv(name, value)
      }
    },
  }
}

async function readSecret(): Promise<string> {
  const { loadSecret } = await import('~/server/operations/secrets.server')
  return loadSecret(folder)
}
