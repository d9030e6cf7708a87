import { ArchiveTurns } from '~/features/accounts/archive-turns.server'
import { ownDataArchive } from '~/features/accounts/own-data-archive.server'
import { type DeletionAnswer, deleteAccount } from '~/features/accounts/own-data-deletion.server'
import { listCertificateFiles } from '~/features/learning/certificate/certificate-archive.server'
import { listAnsweredCourses } from '~/features/learning/exam/exam-page-queries.server'
import { attemptLimits } from '~/server/auth/attempt-limits.server'
import { accountService } from '~/server/auth.server'
import { db } from '~/server/database/client.server'
import { fileStore } from '~/server/files.server'
import { requireLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import type { Route } from './+types/own-data'

const turns = new ArchiveTurns()

/** 'Download my data': one archive with everything that is stored about the learner. */
export async function loader({ request }: Route.LoaderArgs) {
  const { uid } = await requireLearner(request)
  if (!(await accountService.attempts.take(attemptLimits.exportByAccount, uid)))
    return new Response('You have downloaded your data many times. Please try again in an hour.', { status: 429 })
  const now = new Date()
  const parts = { db, files: fileStore, answeredCourses: listAnsweredCourses }
  const archive = await turns.take(uid, async () =>
    ownDataArchive(parts, uid, await listCertificateFiles(db, uid), now),
  )
  if (!archive) {
    return new Response('Your data was asked for a moment ago. Please try again in ten minutes.', {
      status: 429,
      headers: { 'Retry-After': '600', 'Cache-Control': 'no-store' },
    })
  }
  return new Response(new Uint8Array(archive), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="learnify-data-${now.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'no-store',
    },
  })
}

/** 'Delete my account'. */
export async function action({ request }: Route.ActionArgs) {
  // Browsers ask for HTML when they leave a page for this address; scripts do not.
  const navigation = request.headers.get('accept')?.includes('text/html') ?? false
  return deleteAccount({ db, files: fileStore }, request, navigation)
}

/** Without an answer the dialog stays open and says so. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, (): DeletionAnswer => ({ deleted: false, code: 'network-request-failed' }))
}
