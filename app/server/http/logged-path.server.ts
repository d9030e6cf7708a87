/**
 * Hides the parts of a path that may be personal data or secrets, so that the log contains none.
 */

/** No route has more segments. The limit keeps log lines short. */
const maxLoggedSegments = 8

/**
 * Returns a path for the log, such as `/account/users/*`, with `*` in the place of each segment
 * that may not be logged.
 */
export function toLoggedPath(path: string): string {
  const segments = path.split('/').map((segment) => {
    // React Router adds `.data` where a script requests the data of a page, and `_` for the home
    // page.
    const name = segment.replace(/\.data$/, '')
    const canBeLogged = name === '' || name === '_' || loggedSegments.has(name)
    return canBeLogged ? segment : '*'
  })

  return segments.slice(0, maxLoggedSegments).join('/')
}

/**
 * The path segments that may be logged. Any other segment may be a learner's ID or a secret, so it
 * is hidden. A segment that is missing here only makes the log less detailed.
 */
const loggedSegments = new Set([
  // Pages of the site.
  'AllCourses',
  'Certificate',
  'Checkout',
  'Gift',
  'Instructor',
  'OneCourse',
  'Pages',
  'Privacy',
  'Refund',
  'Terms',
  // Pages and data of learners.
  'achievements',
  'Activities',
  'current-courses',
  'Enrollments',
  'Exam',
  'exam-scores',
  'ExamAnswers',
  'film',
  'Learn',
  'overview',
  'OwnData',
  'personal-info',
  'Practice',
  'Profile',
  'progress',
  'purchases',
  'Report',
  'Reviews',
  'settings',
  'StopReminders',
  'StudyPlan',
  'TimeZone',
  'Wishes',
  // Signing in, and accounts.
  'account',
  'callback',
  'choose',
  'CommonPasswords',
  'confirm-email',
  'ConfirmEmail',
  'facebook',
  'forgot-password',
  'google',
  'Login',
  'login',
  'logout',
  'new-password',
  'NotMe',
  'register',
  'ResetPassword',
  'sample',
  'sample-identity',
  'session',
  'SignUp',
  'social',
  'social-end',
  'users',
  // The desk.
  'Announcements',
  'Audit',
  'Courses',
  'Desk',
  'Export',
  'History',
  'Import',
  'Join',
  'Learners',
  'New',
  'Orders',
  'People',
  'Site',
  'Staff',
  // Files and what programs read.
  '.well-known',
  '__manifest',
  'assets',
  'brand',
  'certificate.pdf',
  'CertificateStatus',
  'credential.json',
  'did.json',
  'files',
  'healthz',
  'holder',
  'images',
  'mail',
  'media',
  'picture.jpg',
  'picture.png',
  'readyz',
  'robots.txt',
  'Sitemap',
  'sitemap.xml',
])
