import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** Every address, grouped by access. */
export default [
  // Public: the page is the same for everyone, and any cache may store it.
  index('routes/home.tsx'),
  route('AllCourses', 'routes/all-courses.tsx'),
  route('OneCourse/:slug?', 'routes/one-course.tsx'),
  route('Login', 'routes/login.tsx'),
  route('SecondStep', 'routes/second-step.tsx'),
  route('SignUp', 'routes/sign-up.tsx'),
  route('ResetPassword', 'routes/reset-password.tsx'),
  route('ConfirmEmail', 'routes/confirm-email.tsx'),
  route('NotMe', 'routes/not-me.tsx'),
  route('Instructor', 'routes/instructor.tsx'),
  route('Terms', 'routes/terms.tsx'),
  route('Privacy', 'routes/privacy.tsx'),
  route('Pages/:slug', 'routes/further-page.tsx'),
  route('Certificate/:id', 'routes/certificate.tsx'),
  route('StopReminders', 'routes/stop-reminders.tsx'),
  route('Gift/:code', 'routes/gift.tsx'),
  route('Refund', 'routes/refund.tsx'),

  // Signed-in learners only: others are sent to /Login.
  layout('routes/signed-in.ts', [
    route('Profile', 'routes/profile.tsx', [
      route('overview?', 'routes/profile-overview.tsx', { caseSensitive: true }),
      route('personal-info', 'routes/profile-personal-info.tsx', { caseSensitive: true }),
      route('current-courses', 'routes/profile-current-courses.tsx', { caseSensitive: true }),
      route('exam-scores', 'routes/profile-exam-scores.tsx', { caseSensitive: true }),
      route('achievements', 'routes/profile-achievements.tsx', { caseSensitive: true }),
      route('settings', 'routes/profile-settings.tsx', { caseSensitive: true }),
      route(':section', 'routes/profile-section-not-found.tsx'),
    ]),
    route('Confirm', 'routes/confirm.tsx'),
    route('Profile/sign-in', 'routes/sign-in-ways.tsx'),
    route('Profile/two-step', 'routes/two-step.tsx'),
    route('Profile/purchases', 'routes/purchases.tsx'),
    route('Profile/purchases/:number', 'routes/receipt.tsx'),
    route('Profile/purchases/:number/document.pdf', 'routes/receipt-pdf.ts'),
    route('Profile/purchases/:order/:kind', 'routes/refund-request.tsx'),
    route('Reviews/:review/Report', 'routes/review-report.tsx'),
    route('Checkout/:course', 'routes/checkout.tsx'),
    route('Checkout/:course/paid', 'routes/checkout-paid.tsx'),
    route('Exam/:course/:attempt?', 'routes/exam.tsx'),
    route('Activities', 'routes/activities.ts'),
    route('StudyPlan', 'routes/study-plan.ts'),
  ]),
  // The same, but others are answered otherwise.
  route('OwnData', 'routes/own-data.ts'),
  route('Learn/:course/:lesson?', 'routes/learn.tsx'),
  route('Practice', 'routes/practice.tsx'),

  // Data for open pages, without a page of its own.
  route('viewer', 'routes/viewer.ts'),
  route('Enrollments', 'routes/enrollments.ts'),
  route('Wishes', 'routes/wishes.ts'),
  route('Moments', 'routes/celebrations.ts'),
  route('ExamAnswers', 'routes/exam-answers.ts'),
  route('PracticeAnswers', 'routes/practice-answers.ts'),
  route('TimeZone', 'routes/time-zone.ts'),
  route('Reviews', 'routes/reviews.ts'),
  route('Learn/:course/:lesson/progress', 'routes/lesson-progress.ts'),
  route('Learn/:course/:lesson/notes', 'routes/lesson-notes.ts'),
  route('Learn/:course/:lesson/film', 'routes/lesson-video.ts'),
  route('Learn/:course/:lesson/downloads/:file', 'routes/lesson-download.ts'),

  // The payment provider's events.
  route('payments/events', 'routes/payment-events.ts'),

  // The mailbox of a development machine, where mail is stored instead of sent.
  route('mail', 'routes/mail.tsx'),

  // A certificate's files, and the documents that verify its credential.
  route('Certificate/:id/certificate.pdf', 'routes/certificate-pdf.ts'),
  route('Certificate/:id/picture.png', 'routes/certificate-picture.ts'),
  route('Certificate/:id/credential.json', 'routes/certificate-credential.ts'),
  route('CertificateStatus/:list', 'routes/certificate-status.ts'),
  route('.well-known/did.json', 'routes/issuer-document.ts'),

  route('Suggestions', 'routes/suggestions.ts'),
  route('MoreCourses', 'routes/more-courses.ts'),

  // The preview picture of a shared course.
  route('OneCourse/:slug/picture.jpg', 'routes/course-picture.ts'),

  // What new passwords are compared with in the browser.
  route('CommonPasswords', 'routes/common-passwords.ts'),

  // Search engines.
  route('robots.txt', 'routes/robots.ts'),
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('Sitemap/:part', 'routes/sitemap-part.ts'),

  // Where the school is run: all of its pages, by staff only.
  route('Desk/*', 'routes/desk.tsx'),

  // Anything else shows the home page with status 404.
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
