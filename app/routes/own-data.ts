import { redirect } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { type ArchiveRefusal, ArchiveTurns } from '~/features/accounts/own-data/archive-turns.server'
import { answerDeletion } from '~/features/accounts/own-data/deletion-form.server'
import { ownDataArchive } from '~/features/accounts/own-data/own-data-archive.server'
import { archiveRefusals } from '~/features/accounts/own-data/own-data-messages'
import {
  leadToLogin,
  refuseVisitor,
  requireLearner,
  signedInLearner,
} from '~/features/accounts/session/require-learner.server'
import { markIndexOutdated } from '~/features/catalogue/search/index-store.server'
import { listCertificateFiles } from '~/features/learning/certificate/certificate-archive.server'
import { listAnsweredCourses } from '~/features/learning/exam/exam-page-queries.server'
import { isPlainForm } from '~/server/action-answer.server'
import { db } from '~/server/database/client.server'
import { fileStore } from '~/server/files.server'
import { refusedForm } from '~/ui/action-result'
import { answerOr } from '~/ui/connection'
import type { Route } from './+types/own-data'

const turns = new ArchiveTurns()
const refusals: Record<ArchiveRefusal, { status: number; seconds: string }> = {
  'too-often': { status: 429, seconds: '600' },
  busy: { status: 503, seconds: '60' },
}

/** Whoever is signed out by now is led to the download after signing in, but never from 'Delete my account' to it. */
export const middleware = [
  requireLearner(({ request, ...visit }) => {
    if (request.method !== 'POST') return leadToLogin({ request, ...visit })
    return isPlainForm(request) ? redirect('/Login?from=%2FProfile%2Fsettings', 303) : refuseVisitor()
  }),
]

/** 'Download my data': one archive with everything that is stored about the learner. */
export async function loader({ context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  if (!(await accountService.attempts.take(attemptLimits.exportByAccount, uid)))
    return new Response(archiveRefusals['over-limit'], { status: 429 })
  const now = new Date()
  const parts = { db, files: fileStore, answeredCourses: listAnsweredCourses }
  const archive = await turns.take(uid, () => ownDataArchive(parts, uid, listCertificateFiles(db, uid), now))
  if (typeof archive === 'string') {
    const { status, seconds } = refusals[archive]
    return new Response(archiveRefusals[archive], { status, headers: { 'Retry-After': seconds } })
  }
  return new Response(new Uint8Array(archive), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="learnify-data-${now.toISOString().slice(0, 10)}.zip"`,
    },
  })
}

/** 'Delete my account'. */
export function action({ request }: Route.ActionArgs) {
  return answerDeletion({ db, files: fileStore, ratingsChange: markIndexOutdated }, request)
}

/** Without an answer the dialog stays open and says so. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, refusedForm)
}
