/**
 * The roles at the desk, where staff run the school, and what each role may do.
 *
 * To decide what a member of staff may do, other code calls `hasPermission` or reads
 * `roleDefinitions`. It does not compare roles. A new role must also be added to the values that
 * the column `staff.role` allows.
 *
 * A permission does not say which courses it covers. Teachers may use theirs only for the courses
 * assigned to them, so each query also limits the courses (`visible-courses.server.ts`).
 */

type RoleDefinition = {
  label: string
  /** The text of the option in the form in which an owner gives a role. */
  optionText: string
  /**
   * Whether members with this role see only the courses assigned to them, and the learners of these
   * courses.
   */
  isLimitedToAssignedCourses: boolean
}

/** The most powerful role comes first. */
export const roleDefinitions = {
  owner: { label: 'Owner', optionText: 'Owner: everything', isLimitedToAssignedCourses: false },
  manager: {
    label: 'Manager',
    optionText: 'Manager: everything but staff and site',
    isLimitedToAssignedCourses: false,
  },
  teacher: {
    label: 'Teacher',
    optionText: 'Teacher: the learners of their own courses',
    isLimitedToAssignedCourses: true,
  },
} satisfies Record<string, RoleDefinition>

export type StaffRole = keyof typeof roleDefinitions

/** All roles, the most powerful first, in the order in which forms offer them. */
export const staffRoles = Object.keys(roleDefinitions) as StaffRole[]

/** The roles that see all courses. */
export const rolesWithAllCourses = staffRoles.filter(
  (role) => !roleDefinitions[role].isLimitedToAssignedCourses,
)

/** Returns the role whose name was submitted, or null if there is no such role. */
export function parseRole(name: string): StaffRole | null {
  return staffRoles.find((role) => role === name) ?? null
}

const ownersOnly: readonly StaffRole[] = ['owner']
const ownersAndManagers: readonly StaffRole[] = ['owner', 'manager']

/** The roles that have each permission. To "manage" something is to see and change it. */
const rolesByPermission = {
  'see statistics': ownersAndManagers,
  'see people': ownersAndManagers,
  /**
   * Covers the accounts of learners, and one's own. 'manage staff' covers the accounts of other
   * staff.
   */
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
