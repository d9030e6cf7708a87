import type { Browser, Page } from '@playwright/test'
import { parseEmail } from '~/server/mail/dev-mailbox.server'
import { createEmail, fillSignUpForm } from './account-forms'
import { expect, test, waitForScriptsOnLoad } from './browser'
import { connectDatabase, findFreePort, type Product, startProduct } from './product'
import { confirmEmail, signUpNewLearner } from './sign-in'
import { startSmtpServer } from './smtp-server'

type Names = { firstName: string; lastName: string }

const startTimeoutMs = 300_000
const ownerLinkPattern = /http[^\s"]+\/Desk\/Join\?token=[\w-]+/
const confirmationLinkPattern = /http\S+\/ConfirmEmail\?token=[\w-]+/

/**
 * Starts a product that has no owner yet, sells courses and sends its emails to a mail server of
 * the test. Call this function once, at the top of the file.
 *
 * @param variables settings of the operator; an empty object lets the owner choose how courses
 *   are paid for
 */
export async function startProductWithoutOwner(
  variables: Record<string, string> = { PAYMENTS: 'sample' },
) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  let product: Product | undefined
  let smtp: Awaited<ReturnType<typeof startSmtpServer>> | undefined
  let ownerLink = ''

  test.use({ baseURL: url })

  test.beforeAll(async () => {
    test.setTimeout(startTimeoutMs)

    const readOwnerLink = (line: string) => {
      ownerLink = ownerLinkPattern.exec(line)?.[0] ?? ownerLink
    }
    smtp = await startSmtpServer()
    product = await startProduct({
      port,
      variables: {
        PUBLIC_URL: url,
        ...variables,
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      },
      onLine: readOwnerLink,
    })
  })

  test.afterAll(async () => {
    await product?.stop()
    await smtp?.stop()
  })

  const getFolder = () => {
    if (!product) {
      throw new Error('The product has not been started.')
    }

    return product.folder
  }

  const runQuery = async (query: string, values: unknown[]) => {
    const database = await connectDatabase({ folder: getFolder() })
    await database.query(query, values)
    await database.end()
  }

  /** Lists the emails to an address, oldest first. */
  const listEmailsTo = (email: string) =>
    (smtp?.received ?? [])
      .filter(({ to }) => to.includes(email))
      .map(({ source }) => parseEmail(source))

  return {
    runQuery,
    listEmailsTo,
    /** Signs up somebody with a confirmed address, in a browser context of their own. */
    async signUpColleague(browser: Browser, names: Names) {
      const page = await (await browser.newContext({ baseURL: url })).newPage()
      waitForScriptsOnLoad(page)
      const { email } = await signUpNewLearner(page, names)
      await confirmEmail(email, getFolder())

      return { page, email }
    },
    /** Gives an account a role at the desk, as an owner does. */
    async giveRole(email: string, role: 'manager' | 'teacher', courseIds: readonly string[] = []) {
      await runQuery('insert into staff (uid, role) select id, $2 from users where email = $1', [
        email,
        role,
      ])
      await runQuery(
        `insert into staff_courses (uid, course_id)
         select id, unnest($2::text[]) from users where email = $1`,
        [email, courseIds],
      )
    },
    /**
     * Opens the link that the product printed when it started, and creates the owner's account.
     */
    async becomeOwner(page: Page): Promise<void> {
      await expect.poll(() => ownerLink).toContain('/Desk/Join')
      await page.goto(ownerLink)
      await page.getByRole('link', { name: 'Create an account' }).click()

      const email = createEmail()
      await fillSignUpForm(page, email)
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email address')

      const findConfirmationLink = () =>
        listEmailsTo(email)
          .map(({ text }) => confirmationLinkPattern.exec(text)?.[0])
          .find((link) => link !== undefined)
      await expect.poll(findConfirmationLink).toBeDefined()
      await page.goto(String(findConfirmationLink()))
      await page.getByRole('button', { name: 'Yes, confirm my address' }).click()
      await expect(page.getByText('your email address is confirmed')).toBeVisible()

      await page.goto(ownerLink)
      await page.getByRole('button', { name: 'Become the owner' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
    },
  }
}
