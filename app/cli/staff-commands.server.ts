import { audited } from '~/features/staff/audit.server'
import { createOwnerLink } from '~/features/staff/owner-link.server'
import { type StaffRole, staffRoles } from '~/features/staff/permissions'
import { giveRole, listStaff, takeRole } from '~/features/staff/staff-queries.server'
import { env, StartError } from '~/server/env.server'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatTable,
} from './command-definition.server'

/** Who works at the desk, in the browser. */
export const staffCommands: AdminCommand[] = [
  {
    name: 'staff list',
    takes: [],
    says: 'list who works at the desk',
    effect: 'reads',
    async run({ db }) {
      const data = await listStaff(db)
      const rows = data.map(({ uid, email, name, role, courses }) => ({
        UID: uid,
        EMAIL: email,
        NAME: name,
        ROLE: role,
        COURSES: courses.map(({ id }) => id).join(' '),
      }))

      return { data, text: formatTable(rows, 'There’s no staff yet.') }
    },
  },
  {
    name: 'staff link',
    takes: [],
    says: 'make a link that makes the account that uses it an owner, once and within a day',
    effect: 'changes',
    async run({ db, actor }) {
      let link = ''
      await audited(db, actor, async (transaction) => {
        link = await createOwnerLink(transaction)
        return { subject: null, outcome: 'A link that makes an owner was made.' }
      })
      return { text: env.PUBLIC_URL + link }
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
    async run({ db, actor, given: [name = ''] }) {
      const { outcome } = await audited(db, actor, async (transaction) => {
        const { uid, before, changes } = await takeRole(transaction, name)
        return {
          subject: uid,
          arguments: { before },
          changes,
          outcome: 'The account has no role at the desk any more.',
        }
      })

      return { text: outcome }
    },
  },
]

async function give({
  db,
  actor,
  given: [name = '', wanted = ''],
  options,
}: CommandCall): Promise<Answer> {
  const role = requireRole(wanted)
  const courses = String(options.courses ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const { outcome } = await audited(db, actor, async (transaction) => {
    const seesAddresses = options.addresses === true
    const { uid, before, changes } = await giveRole(transaction, name, {
      role,
      courses,
      seesAddresses,
    })

    return {
      subject: uid,
      arguments: { before, role, courses, seesAddresses },
      changes,
      outcome: `The account has the role of ${role}.`,
    }
  })

  return { text: outcome }
}

/** @throws {StartError} */
function requireRole(text: string): StaffRole {
  const role = staffRoles.find((one) => one === text)
  if (!role) {
    throw new StartError(`There’s no role '${text}'. Choose one of: ${staffRoles.join(', ')}.`)
  }

  return role
}
