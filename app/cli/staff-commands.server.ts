import { findRole, staffRoles } from '~/features/staff/permissions'
import { giveRole, issueOwnerLink, takeRole } from '~/features/staff/staff-actions.server'
import { env } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import type { AdminCommand, Answer, CommandCall } from './command-definition.server'

/** Give and take roles at the desk. */
export const staffCommands: AdminCommand[] = [
  {
    name: 'staff link',
    takes: [],
    says: 'make a link that makes the account that uses it an owner, once and within a day',
    effect: 'changes',
    async run({ context }) {
      const link = await issueOwnerLink(context)
      return link.ok ? success({ text: env.PUBLIC_URL + link.value }) : link
    },
  },
  {
    name: 'staff give',
    takes: ['LEARNER', 'ROLE'],
    options: {
      courses: { value: 'COURSES', says: 'of a teacher: course IDs separated by spaces' },
      addresses: { says: 'a teacher sees email addresses, too' },
    },
    says: 'make an account owner, manager, or teacher of courses',
    effect: 'changes',
    run: give,
  },
  {
    name: 'staff take',
    takes: ['LEARNER'],
    says: 'take an account’s role at the desk',
    effect: 'changes',
    async run({ context, given: [account = ''] }) {
      const result = await takeRole(context, account)
      return result.ok ? success({ text: result.value.outcome }) : result
    },
  },
]

async function give({
  context,
  given: [account = '', submittedRole = ''],
  options,
}: CommandCall): Promise<Result<Answer>> {
  const role = findRole(submittedRole)
  if (role === null) {
    return failure(`There’s no role '${submittedRole}'. Choose one of: ${staffRoles.join(', ')}.`)
  }

  const courses = String(options.courses ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const result = await giveRole(context, {
    account,
    role,
    courses,
    seesAddresses: options.addresses === true,
  })

  return result.ok ? success({ text: result.value.outcome }) : result
}
