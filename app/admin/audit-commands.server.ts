import { findUserByEmail } from '~/features/accounts/account-queries.server'
import { type AuditEntry, argumentText, listAuditEntries } from '~/features/desk/audit/audit-queries.server'
import { StartError } from '~/server/env.server'
import { type AdminCommand, formatInstant, limitOption, listed } from './admin-command.server'

export const auditCommands: AdminCommand[] = [
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
    async run({ db, options }) {
      const { learner, since } = options
      const name = typeof learner === 'string' ? learner.trim() : undefined
      const subject = name?.includes('@') ? (await findUserByEmail(db, name))?.id : name
      if (name && !subject)
        throw new StartError(`No account has the email address ${name}. Its uid may still find something.`)
      return listed({
        options,
        usual: 50,
        most: 10_000,
        find: (limit) => listAuditEntries(db, { subject, since: parseSince(since) }, limit),
        shown: entryRow,
        none: 'No operator has done anything of this kind.',
        more: 'Give the learner with --learner, or a higher --limit.',
      })
    },
  },
]

const entryRow = ({ at, by, byName, act, subject, arguments: given, outcome }: AuditEntry) => ({
  AT: formatInstant(new Date(at)),
  BY: byName ?? by,
  ACT: act,
  ABOUT: subject,
  WITH: argumentText(given),
  OUTCOME: outcome,
})

const dayOrTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/

function parseSince(since: unknown): Date | undefined {
  if (typeof since !== 'string') return undefined
  const text = since.trim()
  const time = new Date(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text)
  if (!dayOrTime.test(text) || Number.isNaN(time.getTime()))
    throw new StartError('--since takes a day like 2026-11-22 or a moment like 2026-11-22T14:00, in UTC.')
  return time
}
