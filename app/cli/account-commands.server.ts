import {
  type AccountOutcome,
  disableAccount,
  enableAccount,
  turnOffTwoStep,
} from '~/features/staff/account-actions.server'
import { type Result, success } from '~/server/result'
import type { AdminCommand, Answer } from './command-definition.server'

/** Actions on one account, for times when nobody can sign in to the desk. */
export const accountCommands: AdminCommand[] = [
  {
    name: 'account disable',
    takes: ['LEARNER'],
    says: 'sign out everywhere, and block signing in',
    effect: 'changes',
    run: async ({ context, given: [account = ''] }) =>
      toAnswer(await disableAccount(context, account)),
  },
  {
    name: 'account enable',
    takes: ['LEARNER'],
    says: 'let a disabled account sign in again',
    effect: 'changes',
    run: async ({ context, given: [account = ''] }) =>
      toAnswer(await enableAccount(context, account)),
  },
  {
    name: 'two-step off',
    takes: ['LEARNER'],
    options: {
      reason: {
        value: 'TEXT',
        says: 'required: how you know that it is the learner; stays in the audit',
      },
    },
    says: 'turn two-step sign-in off for a learner who lost phone and codes; signs out everywhere and tells by mail',
    effect: 'changes',
    run: async ({ context, given: [account = ''], options }) =>
      toAnswer(await turnOffTwoStep(context, account, String(options.reason ?? ''))),
  },
]

function toAnswer(result: Result<AccountOutcome>): Result<Answer> {
  return result.ok ? success({ text: result.value.outcome }) : result
}
