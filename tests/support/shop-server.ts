import { eq } from 'drizzle-orm'
import * as tables from '~/server/database/schema'
import { startProductServer } from './product-server'

/** Nothing listens on port 9, so no event of the sample payments arrives. */
const host = 'localhost:9'
const courseId = 'python-from-zero'

/**
 * Starts the product in this process with the sample payments, and offers functions that sign
 * learners up and let them buy a course.
 */
export async function startShopServer(settings: Record<string, string> = {}) {
  const server = await startProductServer({
    PUBLIC_URL: `http://${host}`,
    PAYMENTS: 'sample',
    ...settings,
  })
  const openShopModule = await import('~/features/orders/open-shop.server')
  const closeShop = await openShopModule.openShop()
  const { currentShop: shop } = openShopModule
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
  let learnerCount = 0

  async function signUp() {
    const person = { email: `learner-${++learnerCount}@test.example`, password: 'Analytical-1843' }
    const response = await server.request('/account/register', {
      method: 'POST',
      headers: { Host: host, Origin: `http://${host}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...person, firstName: 'Ada', lastName: 'Byron' }),
    })
    const setCookies = response.headers['set-cookie'] ?? []
    const cookie = setCookies.map((setCookie) => setCookie.split(';')[0]).join('; ')
    const [user] = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.email, person.email))
    if (!user) {
      throw new Error(response.body)
    }

    return { uid: user.id, email: person.email, cookie }
  }

  type Learner = Awaited<ReturnType<typeof signUp>>

  /** Buys the course with the sample payments. Returns the order's ID. */
  async function buy({ uid, email }: Learner): Promise<string> {
    if (!shop || !sample) {
      throw new Error('The product sells nothing.')
    }

    const checkout = await startCheckout(shop, {
      uid,
      courseId,
      buyer: { name: 'Ada Byron', email },
    })
    if (checkout.outcome !== 'pay') {
      throw new Error(checkout.outcome)
    }

    await sample.pay(checkout.url.split('/').at(-1) ?? '', 'paid')
    const [order] = await server.db.select().from(tables.orders).where(eq(tables.orders.uid, uid))
    if (!order) {
      throw new Error('The checkout created no order.')
    }

    await syncOrderWithProvider(shop, order.id)

    return order.id
  }

  const sendRequest = (method: string, path: string, learner: Learner | null, body?: string) =>
    server.request(path, {
      method,
      headers: {
        Host: host,
        Origin: `http://${host}`,
        Accept: 'text/html',
        Cookie: learner?.cookie ?? '',
        ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body,
    })

  return {
    db: server.db,
    shop,
    sample,
    courseId,
    signUp,
    buy,
    get: (path: string, learner: Learner | null = null) => sendRequest('GET', path, learner),
    /** Submits a form as a browser without scripts does. */
    post: (path: string, fields: Record<string, string>, learner: Learner | null = null) =>
      sendRequest('POST', path, learner, new URLSearchParams(fields).toString()),
    async stop() {
      await closeShop()
      await server.stop()
    },
  }
}
