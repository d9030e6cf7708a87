import { findUserByEmail } from '~/features/accounts/account-queries.server'
import { StartError } from '~/server/env.server'
import type { Act } from './act.server'
import { listActs } from './audit.server'
import { limitOf, limitOption } from './limit-option.server'
import { momentText, tableText } from './plain-text'

export const auditActs: Act[] = [
  {
    name: 'audit list',
    takes: [],
    options: {
      learner: { value: 'LEARNER', says: 'only what was done to this learner; by uid also once the account is gone' },
      since: { value: 'DATE', says: 'only from this day or moment on, in UTC: 2026-11-22 or 2026-11-22T14:00' },
      limit: limitOption(50, 10_000),
    },
    says: 'list what operators did, newest first',
    effect: 'reads',
    async run({ db, options: { learner, since, limit } }) {
      const name = typeof learner === 'string' ? learner.trim() : undefined
      const subject = name?.includes('@') ? (await findUserByEmail(db, name.toLowerCase()))?.id : name
      if (name && !subject)
        throw new StartError(`No account has the email address ${name}. Its uid may still find something.`)
      const found = await listActs(db, { subject, since: momentOf(since), limit: limitOf(limit, 50, 10_000) })
      const rows = found.map(({ at, by, act, subject, arguments: given, outcome }) => ({
        AT: momentText(at),
        BY: by,
        ACT: act,
        ABOUT: subject,
        WITH: Object.entries(given)
          .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' '),
        OUTCOME: outcome,
      }))
      return { data: found, text: tableText(rows, 'No operator has done anything of this kind.') }
    },
  },
]

const dayOrMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/

function momentOf(since: unknown): Date | undefined {
  if (typeof since !== 'string') return undefined
  const text = since.trim()
  const moment = new Date(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text)
  if (!dayOrMoment.test(text) || Number.isNaN(moment.getTime()))
    throw new StartError('--since takes a day like 2026-11-22 or a moment like 2026-11-22T14:00, in UTC.')
  return moment
}
