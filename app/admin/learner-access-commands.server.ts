import {
  changeEmail,
  getAccount,
  requireOwnAccount,
  resendable,
  resendMail,
} from '~/features/accounts/account-administration.server'
import { endSessions, setDisabled, type UserRow } from '~/features/accounts/account-queries.server'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { turnOffByOperator } from '~/features/accounts/two-factor/turn-off-by-operator.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { StartError } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import { byCount } from '~/ui/format-count'
import type { AdminCommand, Answer, CommandCall } from './admin-command.server'
import { audited, type Transaction } from './audit.server'

/** @returns the outcome as a sentence. */
export type Change = (transaction: Transaction, user: UserRow) => Promise<string>

/** One change of one account, recorded as about its learner.  */
export async function changeAccount(
  call: CommandCall,
  change: Change,
  given?: Record<string, unknown>,
): Promise<Answer> {
  const { outcome } = await audited(call.db, call.actor, async (transaction) => {
    const user = await getAccount(transaction, call.given[0] ?? '')
    return { subject: user.id, arguments: given, outcome: await change(transaction, user) }
  })
  return { text: outcome }
}

export const learnerAccessCommands: AdminCommand[] = [
  {
    name: 'learner change-email',
    takes: ['LEARNER', 'NEW-EMAIL'],
    says: 'change the email address; a link to confirm it goes to the new one, a notice to the old one',
    effect: 'changes',
    run: (call) =>
      changeAccount(call, async (transaction, user) => {
        await changeEmail(transaction, user, call.given[1] ?? '')
        return 'The email address is changed. A link to confirm it is on its way.'
      }),
  },
  {
    name: 'learner unlock',
    takes: ['LEARNER'],
    says: 'clear the attempts counted against the account, such as wrong passwords',
    effect: 'changes',
    files: true,
    run: (call) =>
      changeAccount(call, async (transaction, { id }) => {
        const attempts = await call.attempts(transaction)
        const counted = await attempts.list(id)
        await attempts.clearAll(id)
        if (counted.length === 0) return 'Nothing was counted against the account.'
        return 'What was counted against the account is forgotten.'
      }),
  },
  {
    name: 'learner resend',
    takes: ['LEARNER', 'KIND'],
    says: `send an email again: ${resendable.join(', ')}`,
    effect: 'changes',
    run: (call) =>
      changeAccount(
        call,
        async (transaction, user) => {
          await resendMail(transaction, user, call.given[1] ?? '')
          return `The email is on its way. If it doesn’t arrive, see: ${commandText('mail', 'list')}`
        },
        { email: call.given[1] },
      ),
  },
  {
    name: 'learner end-sessions',
    takes: ['LEARNER'],
    says: 'sign out everywhere',
    effect: 'changes',
    run: (call) =>
      changeAccount(call, async (transaction, { id }) => {
        const ended = await endSessions(transaction, id)
        if (ended === 0) return 'The account wasn’t signed in anywhere.'
        return byCount(ended, 'Signed out of 1 browser.', `Signed out of ${ended} browsers.`)
      }),
  },
  {
    name: 'learner turn-off-two-step',
    takes: ['LEARNER'],
    options: { reason: { value: 'TEXT', says: 'required: how you know that it is the learner; stays in the audit' } },
    says: 'turn two-step sign-in off for a learner who lost phone and codes; signs out everywhere and tells by mail',
    effect: 'changes',
    run: turnOffTwoStep,
  },
  {
    name: 'learner disable',
    takes: ['LEARNER'],
    says: 'sign out everywhere, and block signing in',
    effect: 'changes',
    run: (call) =>
      changeAccount(call, async (transaction, { email }) => {
        await setDisabled(transaction, email, true)
        return 'The account is disabled and signed out everywhere.'
      }),
  },
  {
    name: 'learner enable',
    takes: ['LEARNER'],
    says: 'let a disabled account sign in again',
    effect: 'changes',
    run: (call) =>
      changeAccount(call, async (transaction, { email }) => {
        await setDisabled(transaction, email, false)
        return 'The account is enabled.'
      }),
  },
  {
    name: 'learner delete',
    takes: ['LEARNER'],
    options: { yes: { says: 'required, because this can’t be undone' } },
    says: 'delete the account and everything in it',
    effect: 'changes',
    files: true,
    run: deleteLearner,
  },
]

function turnOffTwoStep(call: CommandCall): Promise<Answer> {
  const reason = String(call.options.reason ?? '').trim()
  if (!reason) throw new StartError('This needs a reason: --reason "checked by a call to the number that we know".')
  return changeAccount(
    call,
    async (transaction, { id }) => {
      if (!(await turnOffByOperator(transaction, id))) throw new StartError('The account has no two-step sign-in.')
      return 'Two-step sign-in is off, and the account is signed out everywhere. The learner gets an email about it.'
    },
    { reason },
  )
}

async function deleteLearner(call: CommandCall): Promise<Answer> {
  let photo: string | null = null
  let uid = ''
  const answer = await changeAccount(call, async (transaction, user) => {
    requireOwnAccount(user)
    if (!call.options.yes)
      throw new StartError(`This deletes the account of ${user.name} <${user.email}> for good. To do it, add --yes.`)
    uid = user.id
    photo = (await deleteAccount(transaction, writeCourseSearch, user.id))?.photo ?? null
    return 'The account is deleted.'
  })
  // Print the name if this fails: the account is already deleted, and its row had the only record of it.
  if (photo) await call.files.remove(photo).catch((error) => call.tell(`The file ${photo} is left behind: ${error}`))
  return { text: `${answer.text} In the audit, it stays as ${uid}.` }
}
