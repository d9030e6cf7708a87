/**
 * A product that sells courses through the imitation of Stripe, and the steps of a learner who
 * buys.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort, startProduct } from '../tests/support/product.ts'
import { courseId, type Learner } from './learners.ts'
import type { ProviderBooks } from './order-books.ts'
import { startSamplePayments } from './payments.ts'
import { Workload } from './workload.ts'

export type School = Awaited<ReturnType<typeof openSchool>>

export const emptyBuyerFields = { company: '', address: '', vatNumber: '', country: '' }

/**
 * Starts a product with its data folder, and the imitation of Stripe beside it.
 *
 * @param deliver decides how often and when an event of the imitation is sent to the product
 */
export async function openSchool(deliver: (send: () => Promise<void>) => Promise<void>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-orders-'))
  const port = await findFreePort()
  const providerFile = path.join(folder, 'payments.json')
  const payments = await startSamplePayments({
    file: providerFile,
    webhookUrl: `http://localhost:${port}/payments/events`,
    deliver,
  })
  const start = () => startProduct({ folder, port, variables: payments.variables })

  return {
    folder,
    payments,
    start,
    /** The running process, which changes with each kill. */
    product: await start(),
    workload: new Workload(`http://localhost:${port}`),
    async readProviderBooks() {
      return JSON.parse(await readFile(providerFile, 'utf8')) as ProviderBooks
    },
    async close({ keepsFolder = false } = {}) {
      await this.product.stop()
      await payments.close()
      if (keepsFolder) {
        console.log(`The data stay in ${folder}.`)
      } else {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Orders the course `courseId` without a coupon. Returns the URL of the payment page. */
export async function openPaymentPage({ workload }: School, { cookie }: Learner): Promise<string> {
  const { location } = await workload.request('checkout', `/Checkout/${courseId}`, {
    cookie,
    form: emptyBuyerFields,
  })
  return location
}

/** Presses a button of the payment page. Returns the URL to which the button leads. */
export async function pressPaymentButton(
  pageUrl: string,
  button: 'pay' | 'later' | 'decline',
): Promise<URL> {
  const { headers } = await fetch(pageUrl, {
    method: 'POST',
    body: new URLSearchParams({ act: button }),
    redirect: 'manual',
  })
  return new URL(headers.get('location') ?? pageUrl, pageUrl)
}

/** Opens the page to which the provider sends a learner after the payment. */
export async function openReturnPage(
  { workload }: School,
  { cookie }: Learner,
  returnUrl: URL,
): Promise<void> {
  await workload.request('paid', returnUrl.pathname + returnUrl.search, { cookie })
}
