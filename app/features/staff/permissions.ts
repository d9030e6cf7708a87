/**
 * The roles at the desk, and what each of them may do.
 *
 * Other code never compares roles. It asks `hasPermission`, or reads a property of the role from
 * `roleDefinitions`. A new role must also be added to the column `staff.role`.
 */

type RoleDefinition = {
  label: string
  /** The option's text where an owner chooses a role. */
  description: string
  /** Whether the role is limited to assigned courses and their learners. */
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

/** All roles, the most powerful first. */
export const staffRoles = Object.keys(roleDefinitions) as StaffRole[]

/** The roles that see all courses. */
export const rolesWithAllCourses = staffRoles.filter((role) => !roleDefinitions[role].hasOwnCourses)

/** Returns the role with this name, or null if there is none. */
export function findRole(name: string): StaffRole | null {
  return staffRoles.find((role) => role === name) ?? null
}

const ownersOnly: readonly StaffRole[] = ['owner']
const ownersAndManagers: readonly StaffRole[] = ['owner', 'manager']
/**
 * Roles with courses of their own may open a page with such a permission, but they see only their
 * courses on it: each query limits them in its WHERE clause.
 */
const allRoles: readonly StaffRole[] = staffRoles

const rolesByPermission = {
  'see school figures': ownersAndManagers,
  'see people': ownersAndManagers,
  /** Covers learners and one's own account. Only owners may change other members of staff. */
  'change people': ownersAndManagers,
  'export people': ownersAndManagers,
  'see courses': allRoles,
  /** Covers publishing, prices, and the courses that Home shows first. */
  'change courses': ownersAndManagers,
  'export progress': allRoles,
  'send announcements': allRoles,
  'see revenue': ownersAndManagers,
  'see orders': ownersAndManagers,
  'refund orders': ownersAndManagers,
  'export receipts': ownersAndManagers,
  /** Covers seeing the codes as well, because they are worth money. */
  'manage coupons': ownersAndManagers,
  'resend gifts': ownersAndManagers,
  'answer reviews': allRoles,
  'moderate reviews': ownersAndManagers,
  'see audit log': ownersAndManagers,
  'manage staff': ownersOnly,
  'manage site': ownersOnly,
} satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof rolesByPermission

export function hasPermission({ role }: { role: StaffRole }, permission: Permission): boolean {
  return rolesByPermission[permission].includes(role)
}

/** Describes a change that staff can make. */
export type StaffActionDefinition = {
  /** The action's name in the audit log, such as 'orders refund'. */
  name: string
  permission: Permission
  /** Whether the desk asks for a recent sign-in: for actions on money, people and roles. */
  isSensitive: boolean
}
