import {
  getAccount,
  requireOwnAccount,
  resendable,
} from '~/features/accounts/account-administration.server'
import type { UserRow } from '~/features/accounts/account-queries.server'
import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import { withAccountChanges } from '~/features/desk/account-state.server'
import {
  disableAccount,
  enableAccount,
  forgetAttempts,
  giveNewAddress,
  removeAccount,
  removeProvider,
  sendAgain,
  signOutEverywhere,
  turnOffTwoStep,
} from '~/features/desk/learner-acts.server'
import { audited } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import type { AdminCommand, Answer, CommandCall } from './command-definition.server'

/** @returns the outcome as a sentence. */
export type Change = (transaction: Transaction, user: UserRow) => Promise<string>

/** One change of one account, recorded as about its learner.  */
export async function changeAccount(
  call: CommandCall,
  change: Change,
  given?: Record<string, unknown>,
  attempts?: (transaction: Transaction) => Promise<Pick<AttemptCounter, 'list'>>,
): Promise<Answer> {
  const { outcome } = await audited(call.db, call.actor, async (transaction) => {
    const user = await getAccount(transaction, call.given[0] ?? '')
    const act = async () => ({ arguments: given, outcome: await change(transaction, user) })
    return withAccountChanges(transaction, user.id, act, await attempts?.(transaction))
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
      changeAccount(call, (transaction, user) =>
        giveNewAddress(transaction, user, call.given[1] ?? ''),
      ),
  },
  {
    name: 'learner unlock',
    takes: ['LEARNER'],
    says: 'clear the attempts counted against the account, such as wrong passwords',
    effect: 'changes',
    files: true,
    run: (call) =>
      changeAccount(
        call,
        async (transaction, user) => forgetAttempts(user, await call.attempts(transaction)),
        undefined,
        call.attempts,
      ),
  },
  {
    name: 'learner resend',
    takes: ['LEARNER', 'KIND'],
    says: `send an email again: ${resendable.join(', ')}`,
    effect: 'changes',
    async run(call) {
      const kind = call.given[1] ?? ''
      const { text } = await changeAccount(call, (...account) => sendAgain(...account, kind), {
        email: kind,
      })
      return { text: `${text} If it doesn’t arrive, see: ${commandText('mail', 'list')}` }
    },
  },
  {
    name: 'learner end-sessions',
    takes: ['LEARNER'],
    says: 'sign out everywhere',
    effect: 'changes',
    run: (call) => changeAccount(call, signOutEverywhere),
  },
  {
    name: 'learner turn-off-two-step',
    takes: ['LEARNER'],
    options: {
      reason: {
        value: 'TEXT',
        says: 'required: how you know that it is the learner; stays in the audit',
      },
    },
    says: 'turn two-step sign-in off for a learner who lost phone and codes; signs out everywhere and tells by mail',
    effect: 'changes',
    run(call) {
      const reason = String(call.options.reason ?? '').trim()
      return changeAccount(call, (transaction, user) => turnOffTwoStep(transaction, user, reason), {
        reason,
      })
    },
  },
  {
    name: 'learner remove-way',
    takes: ['LEARNER', 'WAY'],
    says: 'remove a provider, such as google or sso-acme, from the account; signs out everywhere and tells by mail',
    effect: 'changes',
    run(call) {
      const way = call.given[1] ?? ''
      return changeAccount(call, (transaction, user) => removeProvider(transaction, user, way), {
        way,
      })
    },
  },
  {
    name: 'learner disable',
    takes: ['LEARNER'],
    says: 'sign out everywhere, and block signing in',
    effect: 'changes',
    run: (call) => changeAccount(call, disableAccount),
  },
  {
    name: 'learner enable',
    takes: ['LEARNER'],
    says: 'let a disabled account sign in again',
    effect: 'changes',
    run: (call) => changeAccount(call, enableAccount),
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

async function deleteLearner(call: CommandCall): Promise<Answer> {
  const photos: string[] = []
  let uid = ''
  const answer = await changeAccount(call, async (transaction, user) => {
    if (!call.options.yes) {
      requireOwnAccount(user)
      throw new StartError(
        `This deletes the account of ${user.name} <${user.email}> for good. To do it, add --yes.`,
      )
    }

    uid = user.id
    return removeAccount(transaction, user, (photo) => photos.push(photo))
  })

  // Print the name if this fails: the account is already deleted, and its row had the only record
  // of it.
  for (const photo of photos) {
    await call.files
      .remove(photo)
      .catch((error) => call.tell(`The file ${photo} is left behind: ${error}`))
  }

  return { text: `${answer.text} In the audit, it stays as ${uid}.` }
}
