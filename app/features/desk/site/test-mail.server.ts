import { eq } from 'drizzle-orm'
import { randomId } from '~/server/database/random-id.server'
import { users } from '~/server/database/schema'
import { env, isLoopback, StartError } from '~/server/env.server'
import { lacksMailServer, sendMail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { mailSender, siteName } from '~/server/site/site.server'
import type { DeskAction } from '../desk-form.server'
import { countTestMail } from '../test-mail-limit.server'

const withinMs = 30_000

/**
 * Sends a message to the owner without the outbox, so that the mail server's answer can be shown.
 */
export const testMailAct: DeskAction = {
  name: 'site test mail',
  permission: 'run the site',
  isSensitive: false,
  async run(call) {
    const { transaction, form, staff } = call
    if (form.get('sure') !== 'on') {
      throw new StartError('Send the whole form.')
    }

    if (lacksMailServer) {
      throw new StartError('There is no mail server. Have the operator set SMTP_URL.')
    }

    await countTestMail(call)
    const [owner] = await transaction
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, staff.uid))
    const to = owner?.email ?? ''
    const shown = env.SMTP_URL || !isLoopback ? '' : ', and shown at /mail on this machine'

    return {
      subject: 'sender',
      arguments: { sender: mailSender().address },
      // The audit outlives the owner's account, so it contains no address.
      outcome: `The test is on its way to your own address${shown}.`,
      after: () => sendTest(to),
    }
  },
}

async function sendTest(to: string): Promise<void> {
  const letter = composeLetter({
    subject: `A test from ${siteName()}`,
    before: ['Mail from this school reaches you, and looks like this.'],
    link: { label: 'Open the desk', href: `${env.PUBLIC_URL}/Desk/Site` },
    after: [],
  })

  await sendMail({ ...letter, id: randomId(), to }, AbortSignal.timeout(withinMs)).catch(
    (error) => {
      throw new StartError(
        `The mail server didn’t take it: ${String(error?.message ?? error).slice(0, 300)}`,
      )
    },
  )
}
