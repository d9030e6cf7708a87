/** Who may do what at the desk: the one list. */

export const staffRoles = ['owner', 'manager', 'teacher'] as const
export type StaffRole = (typeof staffRoles)[number]

const owner: readonly StaffRole[] = ['owner']
const managers: readonly StaffRole[] = ['owner', 'manager']
/** A teacher sees their own courses and the learners of these only: the queries have it in their WHERE. */
const everyone: readonly StaffRole[] = staffRoles

const permissions = {
  'see the school': managers,
  'see people': managers,
  /** Those without a role, and oneself. */
  'change people': managers,
  'take people’s data out': managers,
  'see courses': everyone,
  /** Publish, withdraw, price, and what Home shows. */
  'change courses': managers,
  'take progress out': everyone,
  announce: everyone,
  'see revenue': managers,
  'see orders': managers,
  'give money back': managers,
  'take receipts out': managers,
  /** Codes are worth money, so that who sees them may make them, too. */
  'run coupons': managers,
  'send gifts again': managers,
  /** Of courses that they see. */
  'answer reviews': everyone,
  'moderate reviews': managers,
  'see the audit': managers,
  'run the staff': owner,
  'run the site': owner,
} satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof permissions

export function may({ role }: { role: StaffRole }, permission: Permission): boolean {
  return permissions[permission].includes(role)
}

export const roleTexts: Record<StaffRole, string> = {
  owner: 'Owner: everything',
  manager: 'Manager: everything but staff and site',
  teacher: 'Teacher: the learners of their own courses',
}
