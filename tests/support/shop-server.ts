import { eq } from 'drizzle-orm'
import * as tables from '~/server/database/schema'
import { startProductServer } from './product-server'

/** Nothing listens there: no event of the sample payments arrives. */
const host = 'localhost:9'
const courseId = 'python-from-zero'

/** The product that sells by the sample payments, in this process, with learners who buy. */
export async function startShopServer(settings: Record<string, string> = {}) {
  const server = await startProductServer({
    PUBLIC_URL: `http://${host}`,
    PAYMENTS: 'sample',
    ...settings,
  })
  const opened = await import('~/features/orders/open-shop.server')
  const closeShop = await opened.openShop()
  const { shop } = opened
  const { samplePayments: sample } = await import(
    '~/features/orders/payments/sample-payments/sample-provider.server'
  )
  if (!shop || !sample) {
    throw new Error('The product sells nothing.')
  }

  const { startCheckout } = await import('../../app/features/orders/checkout/start-checkout.server')
  const { syncOrderWithProvider } = await import(
    '../../app/features/orders/payments/sync-order.server'
  )
  let learners = 0

  async function signUp() {
    const person = { email: `learner-${++learners}@test.example`, password: 'Analytical-1843' }
    const answer = await server.request('/account/register', {
      method: 'POST',
      headers: { Host: host, Origin: `http://${host}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...person, firstName: 'Ada', lastName: 'Byron' }),
    })
    const cookie = (answer.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ')
    const [user] = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.email, person.email))
    if (!user) {
      throw new Error(answer.body)
    }

    return { uid: user.id, email: person.email, cookie }
  }

  type Learner = Awaited<ReturnType<typeof signUp>>

  /** From checkout to the receipt. @returns the order's number. */
  async function buy({ uid, email }: Learner): Promise<string> {
    if (!shop || !sample) {
      return ''
    }

    const start = await startCheckout(shop, { uid, courseId, buyer: { name: 'Ada Byron', email } })
    if (start.outcome !== 'pay') {
      throw new Error(start.outcome)
    }

    await sample.pay(start.url.split('/').at(-1) ?? '', 'paid')
    const [order] = await server.db.select().from(tables.orders).where(eq(tables.orders.uid, uid))
    await syncOrderWithProvider(shop, order?.id ?? '')

    return order?.id ?? ''
  }

  const ask = (method: string, address: string, learner: Learner | null, body?: string) =>
    server.request(address, {
      method,
      headers: {
        ...{
          Host: host,
          Origin: `http://${host}`,
          Accept: 'text/html',
          Cookie: learner?.cookie ?? '',
        },
        ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body,
    })

  return {
    ...{ db: server.db, shop, sample, courseId, signUp, buy },
    get: (address: string, learner: Learner | null = null) => ask('GET', address, learner),
    /** A form as a browser without scripts sends it. */
    post: (address: string, fields: Record<string, string>, learner: Learner | null = null) =>
      ask('POST', address, learner, new URLSearchParams(fields).toString()),
    async stop() {
      await closeShop()
      await server.stop()
    },
  }
}
