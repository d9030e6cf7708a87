/**
 * The routes of all pages and of the URLs that pages request, grouped by who requests them.
 *
 * A URL never changes, because links, and pages that an older build has rendered, use it. So some
 * URLs have other names than their files: `Moments` are celebrations, and a `film` is a video.
 *
 * The middleware of a layout checks access before the loaders and actions of its routes run. Every
 * route outside a layout checks access itself.
 */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/**
 * React Router ignores the case of other URLs. A section of the profile has one spelling only. For
 * any other spelling, the profile says that the section does not exist.
 */
const exactSpelling = { caseSensitive: true }

export default [
  // Anyone may open these pages. All but a certificate are the same for everyone, so that any cache
  // may store them (`public-pages.ts`).
  index('routes/home/home.tsx'),
  route('AllCourses', 'routes/catalog/all-courses.tsx'),
  route('OneCourse/:slug?', 'routes/catalog/one-course.tsx'),
  route('Login', 'routes/accounts/login.tsx'),
  route('SignUp', 'routes/accounts/sign-up.tsx'),
  route('Instructor', 'routes/home/instructor.tsx'),
  route('Terms', 'routes/home/terms.tsx'),
  route('Privacy', 'routes/home/privacy.tsx'),
  route('Pages/:slug', 'routes/home/further-page.tsx'),
  route('Certificate/:id', 'routes/certificates/certificate.tsx'),

  // A token in the URL, or a cookie, decides what these pages show. No cache stores them.
  route('SecondStep', 'routes/accounts/second-step.tsx'),
  route('ResetPassword', 'routes/accounts/reset-password.tsx'),
  route('ConfirmEmail', 'routes/accounts/confirm-email.tsx'),
  route('NotMe', 'routes/accounts/account-recovery.tsx'),
  route('StopReminders', 'routes/profile/stop-reminders.tsx'),
  route('Gift/:code', 'routes/orders/gift.tsx'),
  route('Refund', 'routes/orders/refund.tsx'),

  // These routes are for signed-in learners. The layout redirects visitors to /Login, even from the
  // URLs that only scripts request.
  layout('routes/accounts/signed-in.ts', [
    route('Profile', 'routes/profile/profile.tsx', [
      // This section is also shown at /Profile itself.
      route('overview?', 'routes/profile/profile-overview.tsx', exactSpelling),
      route('personal-info', 'routes/profile/profile-personal-info.tsx', exactSpelling),
      route('current-courses', 'routes/profile/profile-current-courses.tsx', exactSpelling),
      route('exam-scores', 'routes/profile/profile-exam-scores.tsx', exactSpelling),
      route('achievements', 'routes/profile/profile-achievements.tsx', exactSpelling),
      route('settings', 'routes/profile/profile-settings.tsx', exactSpelling),
      route(':section', 'routes/profile/profile-section-not-found.tsx'),
    ]),
    // A learner confirms their identity again here, before a sensitive action.
    route('Confirm', 'routes/accounts/confirm.tsx'),
    // A learner whose sign-in provider sent no name is asked for it here, before any other page.
    route('Profile/name', 'routes/accounts/missing-name.tsx'),
    route('Profile/sign-in', 'routes/accounts/sign-in-methods.tsx'),
    route('Profile/two-step', 'routes/accounts/two-step.tsx'),
    route('Profile/purchases', 'routes/orders/purchases.tsx'),
    route('Profile/purchases/:number', 'routes/orders/receipt.tsx'),
    route('Profile/purchases/:number/document.pdf', 'routes/orders/receipt-pdf.ts'),
    route('Profile/purchases/:order/:requestKind', 'routes/orders/refund-request.tsx'),
    route('Reviews/:review/Report', 'routes/reviews/review-report.tsx'),
    route('Checkout/:course', 'routes/orders/checkout.tsx'),
    route('Checkout/:course/paid', 'routes/orders/checkout-paid.tsx'),
    route('Exam/:course/:attempt?', 'routes/exams/exam.tsx'),
    route('Activities', 'routes/learning/activities.ts'),
    route('StudyPlan', 'routes/profile/study-plan.ts'),
  ]),
  // These routes are for signed-in learners, too. They have no layout, because each of them
  // responds to visitors in its own way.
  route('OwnData', 'routes/accounts/own-data.ts'),
  route('Learn/:course/:lesson?', 'routes/learning/learn.tsx'),
  route('Practice', 'routes/learning/practice.tsx'),

  // The scripts of a page that is open in the browser read and write data at these URLs.
  route('viewer', 'routes/accounts/viewer.ts'),
  route('Enrollments', 'routes/catalog/enrollments.ts'),
  route('Wishes', 'routes/catalog/wishes.ts'),
  route('Moments', 'routes/profile/celebrations.ts'),
  route('ExamAnswers', 'routes/exams/exam-answers.ts'),
  route('PracticeAnswers', 'routes/learning/practice-answers.ts'),
  route('TimeZone', 'routes/accounts/time-zone.ts'),
  route('Reviews', 'routes/reviews/reviews.ts'),
  route('Learn/:course/:lesson/progress', 'routes/learning/lesson-progress.ts'),
  route('Learn/:course/:lesson/notes', 'routes/learning/lesson-notes.ts'),
  route('Learn/:course/:lesson/film', 'routes/learning/lesson-video.ts'),
  route('Learn/:course/:lesson/downloads/:file', 'routes/learning/lesson-download.ts'),

  // The catalog loads suggestions for the search field, and more courses for its list.
  route('Suggestions', 'routes/catalog/suggestions.ts'),
  route('MoreCourses', 'routes/catalog/more-courses.ts'),

  // The payment provider sends its events here.
  route('payments/events', 'routes/orders/payment-events.ts'),

  // This page shows the emails that a development machine has stored instead of sending them.
  // Everywhere else, it responds with 404.
  route('mail', 'routes/accounts/mail.tsx'),

  // These are the files of a certificate, and the documents that verify its credential.
  route('Certificate/:id/certificate.pdf', 'routes/certificates/certificate-pdf.ts'),
  route('Certificate/:id/picture.png', 'routes/certificates/certificate-picture.ts'),
  route('Certificate/:id/credential.json', 'routes/certificates/certificate-credential.ts'),
  route('CertificateStatus/:list', 'routes/certificates/certificate-status.ts'),
  route('.well-known/did.json', 'routes/certificates/issuer-document.ts'),

  // Social networks show this picture as the preview of a shared course.
  route('OneCourse/:slug/picture.jpg', 'routes/catalog/course-picture.ts'),

  // The browser compares new passwords with this list.
  route('CommonPasswords', 'routes/accounts/common-passwords.ts'),

  // Search engines read these files.
  route('robots.txt', 'routes/catalog/robots.ts'),
  route('sitemap.xml', 'routes/catalog/sitemap.ts'),
  route('Sitemap/:part', 'routes/catalog/sitemap-part.ts'),

  // A learner who opens a secret link from the operator becomes an owner here.
  route('Desk/Join', 'routes/desk/join.tsx'),

  // Staff run the school at the desk. For everyone else, the layout responds with 404.
  route('Desk', 'routes/desk/layout.tsx', [
    index('routes/desk/today.tsx'),
    route('People', 'routes/desk/people.tsx'),
    route('People/Import', 'routes/desk/imports.tsx'),
    route('People/Import/:import', 'routes/desk/import.tsx'),
    route('People/:uid', 'routes/desk/person.tsx'),
    route('Courses', 'routes/desk/courses.tsx'),
    route('Courses/:course', 'routes/desk/course.tsx'),
    route('Courses/:course/Learners', 'routes/desk/course-learners.tsx'),
    route('Courses/:course/Learners/:uid', 'routes/desk/learner-progress.tsx'),
    // No lesson's ID can contain the tilde, so this path is never that of a lesson.
    route('Preview/:course/~exam', 'routes/desk/exam-preview.tsx'),
    route('Preview/:course/:lesson', 'routes/desk/course-preview.tsx'),
    route('Announcements', 'routes/desk/announcements.tsx'),
    route('Announcements/New', 'routes/desk/new-announcement.tsx'),
    route('Announcements/:announcement', 'routes/desk/announcement.tsx'),
    route('Orders', 'routes/desk/orders.tsx'),
    route('Orders/:order', 'routes/desk/order.tsx'),
    route('Coupons', 'routes/desk/coupons.tsx'),
    route('Coupons/:code', 'routes/desk/coupon.tsx'),
    route('Gifts', 'routes/desk/gifts.tsx'),
    route('Reviews', 'routes/desk/reviews.tsx'),
    route('Staff', 'routes/desk/staff.tsx'),
    route('Site', 'routes/desk/site.tsx'),
    route('Site/History', 'routes/desk/site-history.tsx'),
    route('Site/Pages/:slug', 'routes/desk/site-text.tsx'),
    route('Audit', 'routes/desk/audit.tsx'),
    route('Export', 'routes/desk/export.tsx'),
    route('*', 'routes/desk/not-found.tsx'),
  ]),

  // All other URLs show the home page with status 404.
  route('*', 'routes/home/not-found.tsx'),
] satisfies RouteConfig
