import type { Work } from './server/shedding'

/** Archives, PDFs, drawn pictures and sitemaps. */
const costly =
  /^\/(OwnData|Certificate\/[^/]+\/(certificate\.pdf|picture\.png)|OneCourse\/[^/]+\/picture\.jpg|Sitemap\/.+)\/*$/i
/** All that may hash a password, mail or ask another provider. */
const signIn = /^\/(Login|SignUp|ResetPassword|ConfirmEmail)\/*$|^\/account\//i
/** What a learner has already done, and the browser sends. */
const report = /^\/(Learn\/[^/]+\/[^/]+\/progress|Exam\/.+|ExamAnswers|PracticeAnswers)\/*$/i

/** What scripts of an open page ask for: routes without a page, and the data of those that have one. */
const data = /^\/(viewer|Activities|Suggestions|MoreCourses|Learn\/[^/]+\/[^/]+\/film)\/*$|\.data$/i

/**
 * The work that a request is, so that a server which is behind refuses the right one first.
 *
 * @param path may be a page's or, with `.data`, its data's; slashes at its end mean nothing.
 */
export function workOf(method: string, path: string): Work {
  const address = path.replace(/(\/_)?\.data$/, '')
  const reads = method === 'GET' || method === 'HEAD'
  if (costly.test(address)) return 'costly'
  if (/^\/account\//i.test(address) || (!reads && signIn.test(address))) return 'sign-in'
  if (reads) return data.test(path) ? 'data' : 'page'
  return report.test(address) ? 'report' : 'page'
}
