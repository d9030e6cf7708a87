/** Who may do what at the desk: the one list. */

export const staffRoles = ['owner', 'manager', 'teacher'] as const
export type StaffRole = (typeof staffRoles)[number]

const owner: readonly StaffRole[] = ['owner']
const managers: readonly StaffRole[] = ['owner', 'manager']
/**
 * A teacher sees their own courses and the learners of these only: the queries have it in their
 * WHERE.
 */
const everyone: readonly StaffRole[] = staffRoles

const permissions = {
  'see the school': managers,
  'see people': managers,
  /** Those without a role, and oneself. */
  'change people': managers,
  'take people’s data out': managers,
  'see courses': everyone,
  /** Publishing, prices, and the choice for Home. */
  'change courses': managers,
  'take progress out': everyone,
  announce: everyone,
  'see revenue': managers,
  'see orders': managers,
  'give money back': managers,
  'take receipts out': managers,
  /** Codes are worth money, so seeing them needs the same permission as making them. */
  'run coupons': managers,
  'send gifts again': managers,
  /** Teachers answer only reviews of their own courses. */
  'answer reviews': everyone,
  'moderate reviews': managers,
  'see the audit': managers,
  'run the staff': owner,
  'run the site': owner,
} satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof permissions

export function hasPermission({ role }: { role: StaffRole }, permission: Permission): boolean {
  return permissions[permission].includes(role)
}

export const roleTexts: Record<StaffRole, string> = {
  owner: 'Owner: everything',
  manager: 'Manager: everything but staff and site',
  teacher: 'Teacher: the learners of their own courses',
}

/** One of the changes that staff can make. */
export type StaffActionDefinition = {
  /** The action's name in the audit log, such as 'orders refund'. */
  name: string
  permission: Permission
  /** Actions on money, people and roles need a recent sign-in. */
  isSensitive: boolean
}
