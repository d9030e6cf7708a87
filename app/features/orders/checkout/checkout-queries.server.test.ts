import { afterAll, expect, it } from 'vitest'
import { buyer, courseId, insertLearner } from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { buyerForm } from './checkout-form'
import { findLastBuyer } from './checkout-queries.server'
import { startCheckout } from './start-checkout.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

async function orderWithCountry(taxRates: Record<string, number>, country: string) {
  const uid = await insertLearner(db)
  const form = buyerForm(Object.keys(taxRates)).parse({ country })
  const purchase = { uid, courseId, buyer: { ...buyer, ...form } }
  await startCheckout({ ...sampleShop.shop, taxRates }, purchase)

  return uid
}

it.each(['DE', 'other'])(
  'checkout chooses the country of an unpaid order again: %s',
  async (country) => {
    const uid = await orderWithCountry({ DE: 1900 }, country)

    expect(await findLastBuyer(db, uid)).toMatchObject({ country })
  },
)

it('an order that asked for no country chooses none', async () => {
  const uid = await orderWithCountry({}, '')

  expect(await findLastBuyer(db, uid)).not.toHaveProperty('country')
})
