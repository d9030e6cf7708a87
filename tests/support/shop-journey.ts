import { type APIResponse, expect, type Page } from '@playwright/test'
import { test } from './browser'
import { waitForHydration } from './hydration'
import { connectDatabase, findFreePort, type Product, startProduct } from './product'

const startTimeoutMs = 300_000
export const courseId = 'python-from-zero'
export const checkoutPath = `/Checkout/${courseId}`
/** The value of the option 'Another country' at checkout. */
export const otherCountry = 'other'

/**
 * Starts a product that sells courses, for the tests of one file. Call this function once, at the
 * top of the file.
 */
export async function startSellingProduct() {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const variables = { PUBLIC_URL: url, PAYMENTS: 'sample', TAX_RATES: 'DE=19 *=0' }
  let product: Product | undefined

  test.use({ baseURL: url })

  test.beforeAll(async () => {
    test.setTimeout(startTimeoutMs)
    product = await startProduct({ port, variables })
  })

  test.afterAll(() => product?.stop())

  return {
    url,
    connectDatabase() {
      if (!product) {
        throw new Error('The product has not been started.')
      }

      return connectDatabase({ folder: product.folder })
    },
  }
}

export const pageHeading = (page: Page) => page.getByRole('heading', { level: 1 })
export const pressButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()
export const companyField = (page: Page) => page.getByLabel('Company')
export const countryField = (page: Page) => page.getByLabel('Country')

export async function addCompany(page: Page, name: string) {
  await page.getByText('Add a company or an address').click()
  await companyField(page).fill(name)
}

/** Leads from checkout to the page of the stand-in for Stripe. Returns the URL of that page. */
export async function goToPayment(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page).toHaveTitle('Pay · Sample payments')

  return page.url()
}

/**
 * Presses a button of the payment page that leads back to the school, where the scripts start anew.
 */
export async function leavePayment(page: Page, button: string) {
  await pressButton(page, button)
  await waitForHydration(page)
}

/**
 * Buys the course for the learner of this browser, with the requests of the forms.
 *
 * @returns the order's ID
 */
export async function buyCourse(page: Page, url: string): Promise<string> {
  const headers = { Origin: url }
  const paymentPage = await page.request.post(checkoutPath, {
    headers,
    form: { country: otherCountry },
  })
  expectOk(paymentPage)

  const paidPage = await page.request.post(paymentPage.url(), { headers, form: { act: 'pay' } })
  expectOk(paidPage)

  return String(new URL(paidPage.url()).searchParams.get('order'))
}

function expectOk(response: APIResponse) {
  expect(response.status(), response.url()).toBe(200)
}
