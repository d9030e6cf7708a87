/**
 * The roles at the desk, where staff run the school, and what each role may do.
 *
 * To decide what a member of staff may do, other code asks `hasPermission` or reads
 * `roleDefinitions`. It does not compare roles. A new role must also be added to the column
 * `staff.role`.
 *
 * A permission covers all courses. Where the role is limited to its member's courses, each query
 * limits the courses in its WHERE clause (`visible-courses.server.ts`).
 */

type RoleDefinition = {
  label: string
  /** The option's text where an owner chooses a role. */
  description: string
  /** Whether members with this role see only the courses assigned to them, and their learners. */
  isLimitedToOwnCourses: boolean
}

/** The most powerful role comes first. */
export const roleDefinitions = {
  owner: { label: 'Owner', description: 'Owner: everything', isLimitedToOwnCourses: false },
  manager: {
    label: 'Manager',
    description: 'Manager: everything but staff and site',
    isLimitedToOwnCourses: false,
  },
  teacher: {
    label: 'Teacher',
    description: 'Teacher: the learners of their own courses',
    isLimitedToOwnCourses: true,
  },
} satisfies Record<string, RoleDefinition>

export type StaffRole = keyof typeof roleDefinitions

/** All roles, the most powerful first, in the order in which forms offer them. */
export const staffRoles = Object.keys(roleDefinitions) as StaffRole[]

/** The roles that see all courses. */
export const rolesWithAllCourses = staffRoles.filter(
  (role) => !roleDefinitions[role].isLimitedToOwnCourses,
)

/** Returns the role with this name, or null if there is none. */
export function findRole(name: string): StaffRole | null {
  return staffRoles.find((role) => role === name) ?? null
}

const ownersOnly: readonly StaffRole[] = ['owner']
const ownersAndManagers: readonly StaffRole[] = ['owner', 'manager']

const rolesByPermission = {
  'see school figures': ownersAndManagers,
  'see people': ownersAndManagers,
  /** Covers learners' accounts and the member's own. 'manage staff' covers those of other staff. */
  'change people': ownersAndManagers,
  'export people': ownersAndManagers,
  'see courses': staffRoles,
  /** Covers publishing, prices, and the courses at the top of the site's home page. */
  'change courses': ownersAndManagers,
  'export progress': staffRoles,
  'send announcements': staffRoles,
  'see revenue': ownersAndManagers,
  'see orders': ownersAndManagers,
  'refund orders': ownersAndManagers,
  'export receipts': ownersAndManagers,
  /** Covers seeing the codes, because a code is worth money. */
  'manage coupons': ownersAndManagers,
  'resend gifts': ownersAndManagers,
  'answer reviews': staffRoles,
  'moderate reviews': ownersAndManagers,
  'see audit log': ownersAndManagers,
  'manage staff': ownersOnly,
  'manage site': ownersOnly,
} satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof rolesByPermission

export function hasPermission(member: { role: StaffRole }, permission: Permission): boolean {
  return rolesByPermission[permission].includes(member.role)
}

/** Describes a change that staff can make. */
export type StaffActionDefinition = {
  /** The action's name in the audit log, such as 'orders refund'. */
  name: string
  permission: Permission
  /** Is true for actions on money, people and roles. */
  needsRecentSignIn: boolean
}
