import {
  announcementActions,
  newAnnouncementActions,
} from '~/features/desk/announcements/announcement-actions.server'
import { couponActions } from '~/features/desk/coupons/coupon-page.server'
import { couponsActions } from '~/features/desk/coupons/coupons-page.server'
import { courseActions } from '~/features/desk/courses/course-page.server'
import { coursesActions } from '~/features/desk/courses/courses-page.server'
import type { DeskAction } from '~/features/desk/desk-form.server'
import { importActions, importsActions } from '~/features/desk/import/import-actions.server'
import { orderActions } from '~/features/desk/orders/order-page.server'
import { personActions } from '~/features/desk/people/person-page.server'
import { reviewsActions } from '~/features/desk/reviews/reviews-page.server'
import { siteActions } from '~/features/desk/site/site-actions.server'
import { restoreActions } from '~/features/desk/site/site-part-actions.server'
import { siteTextActions } from '~/features/desk/site/site-text-page.server'
import { staffActions } from '~/features/desk/staff/staff-page.server'
import { schoolSetupActions } from '~/features/desk/today/school-setup.server'
import type { Permission } from '~/features/staff/permissions'

export type DeskPageEntry = {
  /** The path below /Desk, as in app/routes.ts. */
  path: string
  permission: Permission
  actions: Readonly<Record<string, DeskAction>>
}

/**
 * Every page of the desk, for tests that open all of them. Import it after the product's settings
 * are set, because it loads the product. A test compares the list with app/routes.ts.
 */
export const deskPages: Readonly<Record<string, DeskPageEntry>> = {
  today: { path: '', permission: 'see statistics', actions: schoolSetupActions },
  people: { path: 'People', permission: 'see people', actions: {} },
  imports: { path: 'People/Import', permission: 'change people', actions: importsActions },
  import: { path: 'People/Import/:import', permission: 'change people', actions: importActions },
  person: { path: 'People/:uid', permission: 'see people', actions: personActions },
  courses: { path: 'Courses', permission: 'see courses', actions: coursesActions },
  course: { path: 'Courses/:course', permission: 'see courses', actions: courseActions },
  examPreview: { path: 'Preview/:course/~exam', permission: 'see courses', actions: {} },
  coursePreview: { path: 'Preview/:course/:lesson', permission: 'see courses', actions: {} },
  courseLearners: { path: 'Courses/:course/Learners', permission: 'see courses', actions: {} },
  learnerProgress: {
    path: 'Courses/:course/Learners/:uid',
    permission: 'see courses',
    actions: {},
  },
  announcements: { path: 'Announcements', permission: 'send announcements', actions: {} },
  newAnnouncement: {
    path: 'Announcements/New',
    permission: 'send announcements',
    actions: newAnnouncementActions,
  },
  announcement: {
    path: 'Announcements/:announcement',
    permission: 'send announcements',
    actions: announcementActions,
  },
  orders: { path: 'Orders', permission: 'see orders', actions: {} },
  order: { path: 'Orders/:order', permission: 'see orders', actions: orderActions },
  coupons: { path: 'Coupons', permission: 'manage coupons', actions: couponsActions },
  coupon: { path: 'Coupons/:code', permission: 'manage coupons', actions: couponActions },
  gifts: { path: 'Gifts', permission: 'see orders', actions: {} },
  reviews: { path: 'Reviews', permission: 'answer reviews', actions: reviewsActions },
  staff: { path: 'Staff', permission: 'manage staff', actions: staffActions },
  site: { path: 'Site', permission: 'manage site', actions: siteActions },
  siteHistory: { path: 'Site/History', permission: 'manage site', actions: restoreActions },
  siteText: { path: 'Site/Pages/:slug', permission: 'manage site', actions: siteTextActions },
  audit: { path: 'Audit', permission: 'see audit log', actions: {} },
}
