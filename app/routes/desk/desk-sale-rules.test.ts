import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

/** Nothing listens on port 9, so no event of the sample payments arrives. */
const publicUrl = 'http://localhost:9'
const checkoutPath = '/Checkout/python-from-zero'

let folder: string
/** The process in which the owner changes the rules. */
let server: DeskServer
/** Another process on the same database. */
let otherServer: ProductServer
let closeShops: (() => Promise<void>)[]
let letOtherServerNotice: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-sale-rules-'))
  const settings = {
    PUBLIC_URL: publicUrl,
    PAYMENTS: 'sample',
    DATA_DIR: folder,
    REFUND_DAYS: '45',
  }
  server = await startDeskServer(settings)
  const closeShop = await openShop()
  await server.signUp('owner', 'owner')
  await server.signUp('manager', 'manager')
  await server.signUp('learner')

  const DATABASE_URL = String(process.env.DATABASE_URL)
  otherServer = await startProductServer({ ...settings, DATABASE_URL })
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
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await server.db.delete(tables.siteVersions)
  await server.db.update(tables.productState).set({ version: sql`version + 1` })
  await deleteOrders()
})

async function deleteOrders() {
  await server.db.delete(tables.payments)
  await server.db.delete(tables.orders)
}

async function openShop() {
  const { openShop } = await import('~/features/orders/open-shop.server')
  return openShop()
}

const sendForm = (form: Record<string, string>, name = 'owner') =>
  server.post(name, '/Desk/Site', { seen: '0', ...form })

const listVersions = (part: string) =>
  server.db.select().from(tables.siteVersions).where(eq(tables.siteVersions.part, part))

/**
 * Opens or submits checkout in the other process, after the interval in which processes read
 * changes.
 */
async function openCheckout(fields?: Record<string, string>) {
  await letOtherServerNotice()
  return otherServer.request(checkoutPath, {
    method: fields ? 'POST' : 'GET',
    headers: { ...server.headers, Accept: 'text/html', Cookie: server.getCookie('learner') },
    body: fields && new URLSearchParams(fields).toString(),
  })
}

describe('tax rates', () => {
  const germanyAndAustria = {
    intent: 'taxRates',
    'country-0': 'germany',
    'percent-0': '19',
    'country-1': '',
    'percent-1': '',
    'country-2': 'AT',
    'percent-2': '7,7 %',
    otherPercent: '0',
  }

  it('count at checkout in every process once an owner has saved them', async () => {
    expect((await openCheckout()).body).not.toContain('Choose your country')

    const saved = await sendForm(germanyAndAustria)
    expect([saved.status, saved.body.includes('Tax rates: saved.')]).toEqual([200, true])

    const { body } = await openCheckout()
    const countries = [...body.matchAll(/<option value="(..)">/g)].map(([, code]) => code)
    expect(countries).toEqual(['AT', 'DE'])

    expect((await openCheckout({ country: 'DE' })).status).toBe(303)

    const [order] = await server.db.select().from(tables.orders)
    expect(order?.taxBasisPoints).toBe(1900)
  })

  it('are shown in the form, and an empty form means no tax', async () => {
    await sendForm(germanyAndAustria)
    const { body } = await server.get('owner', '/Desk/Site')
    expect(body).toContain('Austria 7.7%, Germany 19%, other countries 0%')
    expect(body).toMatch(/name="country-0"[^>]*value="Austria"/)
    expect(body).toMatch(/name="percent-1"[^>]*value="19"/)
    expect(body).toMatch(/name="country-6"[^>]*value=""/)

    const emptied = await sendForm({ intent: 'taxRates', seen: '1', 'country-0': '' })
    expect(emptied.status).toBe(200)
    expect((await openCheckout()).body).not.toContain('Choose your country')
  })

  it.each([
    ['country-0', { 'country-0': 'Atlantis' }, 'Write the name or code of a country'],
    ['country-2', { 'country-2': 'Germany' }, 'Germany has a rate already.'],
    ['percent-0', { 'percent-0': '190' }, 'Write a percentage below 100'],
    ['percent-0', { 'percent-0': '' }, 'Write a percentage below 100'],
    ['otherPercent', { otherPercent: 'x' }, 'Write a percentage below 100'],
  ])('are refused with a sentence at the field %s', async (name, wrongValue, problem) => {
    const { status, body } = await sendForm({ ...germanyAndAustria, ...wrongValue })

    expect(status).toBe(400)
    expect(body).toMatch(new RegExp(`aria-invalid="true"[^>]*name="${name}"`))
    expect(body).toContain(problem)
    expect(body).toMatch(/name="percent-2"[^>]*value="7,7 %"/)
    expect(await listVersions('taxRates')).toEqual([])
  })

  it('can be undone, and are in the audit with the old and the new rates', async () => {
    await sendForm(germanyAndAustria)
    await sendForm({ ...germanyAndAustria, seen: '1', 'percent-0': '16' })
    const undone = await sendForm({
      intent: 'restoreProven',
      part: 'taxRates',
      version: '1',
      seen: '2',
    })
    expect(undone.status).toBe(200)
    expect((await server.get('owner', '/Desk/Site')).body).toContain('Germany 19%')

    const entries = (await server.listAuditEntries()).filter(
      ({ subject, arguments: { version } }) => subject === 'taxRates' && version === 2,
    )
    expect(entries[0]).toMatchObject({
      act: 'site change',
      by: server.getUid('owner'),
      changes: {
        taxRates: {
          from: expect.stringContaining('Germany 19%'),
          to: expect.stringContaining('Germany 16%'),
        },
      },
    })
  })

  it('are not replaced by an owner who saw older ones', async () => {
    await sendForm(germanyAndAustria)
    const late = await sendForm({ ...germanyAndAustria, 'percent-0': '16' })

    expect([late.status, late.body.includes('Somebody has changed this')]).toEqual([400, true])
  })

  it('can be changed by owners only, after a sign-in within the last 15 minutes', async () => {
    expect((await sendForm(germanyAndAustria, 'manager')).status).toBe(404)

    const setConfirmed = (minutesAgo: number) =>
      server.db
        .update(tables.sessions)
        .set({ confirmedAt: new Date(Date.now() - minutesAgo * 60_000) })
    await setConfirmed(20)
    expect((await sendForm(germanyAndAustria)).status).toBe(403)

    await setConfirmed(0)
    expect(await listVersions('taxRates')).toEqual([])
  })
})

describe('the days in which buyers get their money back', () => {
  it('count in every process once an owner has saved them', async () => {
    const saved = await sendForm({ intent: 'withdrawalDays', days: '0' })
    expect([saved.status, saved.body.includes('Withdrawal: saved.')]).toEqual([200, true])

    await letOtherServerNotice()
    const { currentShop: shop } = await import('~/features/orders/open-shop.server')
    expect(shop?.currentRefundPeriods).toEqual({ withdrawal: 0, refund: 45 })

    const { body } = await otherServer.request('/Refund', { headers: server.headers })
    expect([body.includes('value="refund"'), body.includes('value="withdrawal"')]).toEqual([
      true,
      false,
    ])
  })

  it.each(['', '-1', '1.5', '3651', 'x'])('can’t be ‘%s’', async (days) => {
    const { status, body } = await sendForm({ intent: 'withdrawalDays', days })

    expect(status).toBe(400)
    expect(body).toMatch(/aria-invalid="true"[^>]*name="days"/)
    expect(body).toContain('Write a whole number of days from 0 to 3,650.')
  })

  it('can’t be changed if the operator has set them', async () => {
    const refusal = await sendForm({ intent: 'refundDays', days: '10' })
    expect([refusal.status, refusal.body.includes('The operator has set REFUND_DAYS')]).toEqual([
      400,
      true,
    ])

    const { body } = await server.get('owner', '/Desk/Site')
    expect(body).toContain('has set REFUND_DAYS in its environment')
    expect(body).toContain('45 days')
    expect(body.match(/name="days"/g)).toHaveLength(1)
  })
})

describe('the waiver of the right of withdrawal', () => {
  const waiver = { intent: 'waiver', choice: 'required', text: 'I give it up\r\n& start now.' }

  it('is a box at checkout in every process once an owner has saved it', async () => {
    expect((await openCheckout()).body).not.toContain('name="waiver"')
    expect((await sendForm(waiver)).status).toBe(200)
    expect((await openCheckout()).body).toContain('I give it up &amp; start now.')

    const emptyBox = await openCheckout({})
    expect([emptyBox.status, emptyBox.body.includes('Please tick this box')]).toEqual([400, true])
    expect((await openCheckout({ waiver: 'I give it up & start now.' })).status).toBe(303)

    await sendForm({ intent: 'withdrawalDays', days: '0' })
    expect((await openCheckout()).body).not.toContain('name="waiver"')
  })

  it('needs a text', async () => {
    const { status, body } = await sendForm({ ...waiver, text: ' ' })

    expect(status).toBe(400)
    expect(body).toMatch(/<textarea[^>]*aria-invalid="true"[^>]*name="text"/)
    expect((await sendForm({ ...waiver, choice: 'maybe' })).status).toBe(400)
  })
})

it('the currency can’t be changed once there is an order', async () => {
  const euro = { intent: 'currency', currency: 'EUR' }
  expect((await openCheckout({})).status).toBe(303)

  const refusal = await sendForm(euro)
  expect([refusal.status, refusal.body.includes('There is an order')]).toEqual([400, true])
  expect(await listVersions('currency')).toEqual([])
  expect((await server.get('owner', '/Desk/Site')).body).not.toContain('name="currency"')

  await deleteOrders()
  expect((await sendForm(euro)).status).toBe(200)
})
