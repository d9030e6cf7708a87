import { setDisabled } from '~/features/accounts/account-queries.server'
import { getAccount } from '~/features/accounts/operator/account-lookup.server'
import type { Act } from './act.server'
import { audited } from './audit.server'

export const learnerActs: Act[] = [
  {
    name: 'learner disable',
    takes: ['EMAIL|UID'],
    says: 'sign out everywhere, and let nobody sign in',
    effect: 'changes',
    async run({ db, actor, given: [name = ''] }) {
      const { outcome } = await audited(db, actor, async (transaction) => {
        const { id, email } = await getAccount(transaction, name)
        await setDisabled(transaction, email, true)
        return { subject: id, outcome: 'The account is disabled and signed out everywhere.' }
      })
      return { text: outcome }
    },
  },
  {
    name: 'learner enable',
    takes: ['EMAIL|UID'],
    says: 'let a disabled account sign in again',
    effect: 'changes',
    async run({ db, actor, given: [name = ''] }) {
      const { outcome } = await audited(db, actor, async (transaction) => {
        const { id, email } = await getAccount(transaction, name)
        await setDisabled(transaction, email, false)
        return { subject: id, outcome: 'The account is enabled.' }
      })
      return { text: outcome }
    },
  },
]
