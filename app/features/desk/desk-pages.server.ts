import { announcementPage } from './announcements/announcement-page.server'
import { announcementsPage } from './announcements/announcements-page.server'
import { newAnnouncementPage } from './announcements/new-announcement-page.server'
import { auditPage } from './audit/audit-page.server'
import { couponPage } from './coupons/coupon-page.server'
import { couponsPage } from './coupons/coupons-page.server'
import { courseLearnersPage } from './courses/course-learners-page.server'
import { coursePage } from './courses/course-page.server'
import { coursePreviewPage } from './courses/course-preview-page.server'
import { coursesPage } from './courses/courses-page.server'
import { examPreviewPage } from './courses/exam-preview-page.server'
import { learnerProgressPage } from './courses/learner-progress-page.server'
import type { DeskPage } from './desk-page.server'
import { giftsPage } from './gifts/gifts-page.server'
import { importPage, importsPage } from './import/import-pages.server'
import { orderPage } from './orders/order-page.server'
import { ordersPage } from './orders/orders-page.server'
import { peoplePage } from './people/people-page.server'
import { personPage } from './people/person-page.server'
import { reviewsPage } from './reviews/reviews-page.server'
import { siteHistoryPage, sitePage } from './site/site-page.server'
import { siteTextPage } from './site/site-text-page.server'
import { staffPage } from './staff/staff-page.server'
import { todayPage } from './today/today-page.server'

/**
 * Every address of the desk. One that isn't here does not exist, and neither does one whose
 * permission the visitor lacks. They share one route, because the list of routes is a part of every
 * public page's script.
 */
export const deskPages = {
  today: todayPage,
  people: peoplePage,
  imports: importsPage,
  import: importPage,
  person: personPage,
  courses: coursesPage,
  course: coursePage,
  // Its address would be that of a lesson, too.
  examPreview: examPreviewPage,
  coursePreview: coursePreviewPage,
  courseLearners: courseLearnersPage,
  learnerProgress: learnerProgressPage,
  announcements: announcementsPage,
  newAnnouncement: newAnnouncementPage,
  announcement: announcementPage,
  orders: ordersPage,
  order: orderPage,
  coupons: couponsPage,
  coupon: couponPage,
  gifts: giftsPage,
  reviews: reviewsPage,
  staff: staffPage,
  site: sitePage,
  siteHistory: siteHistoryPage,
  siteText: siteTextPage,
  audit: auditPage,
} satisfies Record<string, DeskPage<object>>

export type DeskPages = typeof deskPages
export type DeskPageName = keyof DeskPages

/** What a page shows. */
export type DataOf<Name extends DeskPageName> = NonNullable<
  Awaited<ReturnType<DeskPages[Name]['load']>>
>
