/**
 * The roles at the desk, and what each of them may do.
 *
 * Everything that depends on a role is decided here: other code asks `hasPermission`, or reads a
 * property of the role. The column `staff.role` lists the names of the roles again.
 */

type RoleDefinition = {
  label: string
  /** Explains the role where an owner chooses one. */
  description: string
  /** Whether the role works on courses of its own, and sees only their learners. */
  hasOwnCourses: boolean
}

export const roleDefinitions = {
  owner: { label: 'Owner', description: 'Owner: everything', hasOwnCourses: false },
  manager: {
    label: 'Manager',
    description: 'Manager: everything but staff and site',
    hasOwnCourses: false,
  },
  teacher: {
    label: 'Teacher',
    description: 'Teacher: the learners of their own courses',
    hasOwnCourses: true,
  },
} satisfies Record<string, RoleDefinition>

export type StaffRole = keyof typeof roleDefinitions

/** The names of the roles, the most powerful first. */
export const staffRoles = Object.keys(roleDefinitions) as StaffRole[]

/** The names of the roles that see all courses. */
export const rolesWithAllCourses = staffRoles.filter((role) => !roleDefinitions[role].hasOwnCourses)

/** Returns the role with this name, or null if there is none. */
export function findRole(name: string): StaffRole | null {
  return staffRoles.find((role) => role === name) ?? null
}

const owners: readonly StaffRole[] = ['owner']
const managers: readonly StaffRole[] = ['owner', 'manager']
/**
 * Queries limit roles with courses of their own to these courses, in the WHERE clause. So a
 * permission for all staff opens a page, but not every course on it.
 */
const allStaff: readonly StaffRole[] = staffRoles

const permissions = {
  'see the school': managers,
  'see people': managers,
  /** Covers learners and oneself. Only owners may change other members of staff. */
  'change people': managers,
  'take people’s data out': managers,
  'see courses': allStaff,
  /** Covers publishing, prices, and the courses that Home shows first. */
  'change courses': managers,
  'take progress out': allStaff,
  announce: allStaff,
  'see revenue': managers,
  'see orders': managers,
  'give money back': managers,
  'take receipts out': managers,
  /** Codes are worth money, so seeing them needs the same permission as making them. */
  'run coupons': managers,
  'send gifts again': managers,
  'answer reviews': allStaff,
  'moderate reviews': managers,
  'see the audit': managers,
  'run the staff': owners,
  'run the site': owners,
} satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof permissions

export function hasPermission({ role }: { role: StaffRole }, permission: Permission): boolean {
  return permissions[permission].includes(role)
}

/** One of the changes that staff can make. */
export type StaffActionDefinition = {
  /** The action's name in the audit log, such as 'orders refund'. */
  name: string
  permission: Permission
  /** Actions on money, people and roles need a recent sign-in. */
  isSensitive: boolean
}
