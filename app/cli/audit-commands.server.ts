import { findUserByEmail } from '~/features/accounts/account-queries.server'
import {
  type AuditEntry,
  argumentText,
  changesText,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import { StartError } from '~/server/env.server'
import { type AdminCommand, formatInstant, limitOption, listed } from './command-definition.server'

export const auditCommands: AdminCommand[] = [
  {
    name: 'audit list',
    takes: [],
    options: {
      learner: {
        value: 'LEARNER',
        says: 'only what was done to this learner; by uid also once the account is gone',
      },
      by: {
        value: 'WHO',
        says: 'only what this operator did, or the member of staff with this uid',
      },
      act: { value: 'ACT', says: "only acts like 'learner disable', or that begin so" },
      since: {
        value: 'DATE',
        says: 'only from this day or moment on, in UTC: 2026-11-22 or 2026-11-22T14:00',
      },
      before: { value: 'DATE', says: 'only before this day or moment' },
      limit: limitOption(50, 10_000),
    },
    says: 'list what operators did, newest first',
    effect: 'reads',
    async run({ db, options }) {
      const { learner, since, before, by, act } = options
      const text = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)
      const name = typeof learner === 'string' ? learner.trim() : undefined
      const subject = name?.includes('@') ? (await findUserByEmail(db, name))?.id : name
      if (name && !subject) {
        throw new StartError(
          `No account has the email address ${name}. Its uid may still find something.`,
        )
      }

      return listed({
        options,
        usual: 50,
        most: 10_000,
        find: (limit) => {
          const times = {
            since: parseTime(since, '--since'),
            before: parseTime(before, '--before'),
          }
          return listAuditEntries(db, { subject, by: text(by), act: text(act), ...times }, limit)
        },
        shown: entryRow,
        none: 'No operator has done anything of this kind.',
        more: 'Give the learner with --learner, or a higher --limit.',
      })
    },
  },
]

const entryRow = ({
  at,
  by,
  byName,
  act,
  subject,
  arguments: given,
  changes,
  outcome,
}: AuditEntry) => ({
  AT: formatInstant(new Date(at)),
  BY: byName ?? by,
  ACT: act,
  ABOUT: subject,
  WITH: argumentText(given),
  CHANGED: changesText(changes),
  OUTCOME: outcome,
})

const dayOrTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/

function parseTime(given: unknown, option: string): Date | undefined {
  if (typeof given !== 'string') {
    return undefined
  }

  const text = given.trim()
  const time = new Date(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text)
  if (!dayOrTime.test(text) || Number.isNaN(time.getTime())) {
    throw new StartError(
      `${option} takes a day like 2026-11-22 or a moment like 2026-11-22T14:00, in UTC.`,
    )
  }

  return time
}
