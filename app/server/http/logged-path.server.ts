/** Segments of our own addresses that may be logged. Any other segment may be a learner's ID or a secret. */
const words = new Set(
  `AllCourses OneCourse Login SignUp ResetPassword Instructor Terms Privacy Certificate Profile Learn Exam Enrollments Wishes
  Activities Practice StudyPlan StopReminders progress Reviews TimeZone ExamAnswers OwnData film mail certificate.pdf picture.png picture.jpg credential.json holder
  CertificateStatus .well-known did.json robots.txt sitemap.xml Sitemap account register login logout forgot-password
  new-password session confirm-email ConfirmEmail users callback social social-end google facebook sample sample-identity choose healthz readyz assets
  images media files overview personal-info current-courses exam-scores achievements settings`.split(/\s+/),
)

/** The path for the log, with `*` for each segment that isn't in the list, like `/account/users/*`. */
export function loggedPath(path: string): string {
  const segments = path.split('/').map((segment) => {
    const word = segment.replace(/\.data$/, '')
    return word === '' || word === '_' || words.has(word) ? segment : '*'
  })
  return segments.slice(0, 8).join('/')
}
