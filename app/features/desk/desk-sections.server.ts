import { hasPermission, type Permission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'

type DeskSection = { path: string; label: string }

const sections: (DeskSection & { permission: Permission })[] = [
  { path: '/Desk', label: 'Today', permission: 'see statistics' },
  { path: '/Desk/People', label: 'People', permission: 'see people' },
  { path: '/Desk/Courses', label: 'Courses', permission: 'see courses' },
  { path: '/Desk/Announcements', label: 'Announcements', permission: 'send announcements' },
  { path: '/Desk/Orders', label: 'Orders', permission: 'see orders' },
  { path: '/Desk/Coupons', label: 'Coupons', permission: 'manage coupons' },
  { path: '/Desk/Gifts', label: 'Gifts', permission: 'see orders' },
  { path: '/Desk/Reviews', label: 'Reviews', permission: 'answer reviews' },
  { path: '/Desk/Staff', label: 'Staff', permission: 'manage staff' },
  { path: '/Desk/Site', label: 'Site', permission: 'manage site' },
  { path: '/Desk/Audit', label: 'Audit', permission: 'see audit log' },
]

/** Lists the sections of the desk's menu that the member of staff may open, in its order. */
export function listDeskSections(staff: StaffMember): DeskSection[] {
  return sections
    .filter(({ permission }) => hasPermission(staff, permission))
    .map(({ path, label }) => ({ path, label }))
}
