import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { redirect } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { answerDeletion } from '~/features/accounts/own-data/account-deletion.server'
import {
  mostDownloadMs,
  ownDataArchive,
} from '~/features/accounts/own-data/own-data-archive.server'
import {
  redirectToLogin,
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { archiveRefusals } from '~/features/accounts/settings/settings-messages'
import { requireRecentSignIn } from '~/features/accounts/step-up/require-recent-sign-in.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { listCertificateFiles } from '~/features/certificates/file/certificate-files.server'
import { listCoursesWithVisibleAnswers } from '~/features/exams/exam-page-queries.server'
import { listReceiptFiles } from '~/features/orders/receipts/receipt-files.server'
import { isOnlyOwner } from '~/features/staff/staff-queries.server'
import { connect, db, sessionUrl } from '~/server/database/client.server'
import { fileStore } from '~/server/files/files.server'
import { isSubmittedWithoutScript } from '~/server/http/form-response.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { reportError } from '~/server/operations/log.server'
import { createClientAction } from '~/ui/form/client-action'
import type { Route } from './+types/own-data'

/** An archive reads a whole account in one transaction. */
const archives = limitConcurrency(2, { name: 'archives', waiting: 20 })
/** Proxies give up after a minute without an answer. */
const longestWaitMs = 20_000
/** Accounts with a running or waiting download; one at a time for each. */
const underWay = new Set<string>()

/**
 * After signing in, a visitor is redirected to the download, but never to it from 'Delete my
 * account'.
 */
export const middleware = [
  requireLearner(({ request, ...visit }) => {
    if (request.method !== 'POST') {
      return redirectToLogin({ request, ...visit })
    }

    return isSubmittedWithoutScript()
      ? redirect('/Login?from=%2FProfile%2Fsettings', 303)
      : signedOutResponse()
  }),
]

/** 'Download my data': one archive with everything that is stored about the learner. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  await requireRecentSignIn(request, '/Profile/settings?confirmed=download#own-data')
  const now = new Date()
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="learnify-data-${now.toISOString().slice(0, 10)}.zip"`,
  }
  // An answer to HEAD has no body.
  if (request.method === 'HEAD') {
    return new Response(null, { headers })
  }

  if (underWay.has(uid)) {
    return refuseArchive('under-way', 429, 60)
  }

  if (!(await accountService.attempts.consume(attemptLimits.exportByAccount, uid))) {
    return refuseArchive('over-limit', 429, 60 * 60)
  }

  const release = await startArchive(uid, request.signal)
  if (!release) {
    await accountService.attempts.giveBack(attemptLimits.exportByAccount, uid)
    return refuseArchive('busy', 503, 60)
  }

  // A separate connection: a slow download would block one of the pool for minutes.
  const own = connect(sessionUrl, { poolSize: 1, timeoutMs: mostDownloadMs })
  const end = () => {
    release()
    own.pool.end().catch((error) => reportError(error))
  }
  try {
    // Connect first: an error can be shown as a sentence only before the download starts.
    await own.database.execute(sql`select`)
  } catch (error) {
    end()
    throw error
  }

  const parts = {
    db: own.database,
    files: fileStore,
    answeredCourses: listCoursesWithVisibleAnswers,
    more: listFiles,
  }
  const archive = ownDataArchive(parts, uid, now).once('close', end)
  endInTime(archive, request.signal)

  return new Response(Readable.toWeb(archive) as ReadableStream<Uint8Array>, { headers })
}

async function* listFiles(uid: string) {
  yield* listCertificateFiles(db, uid)
  yield* listReceiptFiles(db, uid)
}

/** @returns releases the place; null if the queue is full or the wait was too long. */
async function startArchive(uid: string, left: AbortSignal): Promise<(() => void) | null> {
  underWay.add(uid)
  try {
    const release = await archives.acquire(
      AbortSignal.any([left, AbortSignal.timeout(longestWaitMs)]),
    )
    return () => {
      underWay.delete(uid)
      release()
    }
  } catch (error) {
    underWay.delete(uid)
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}

function refuseArchive(
  why: keyof typeof archiveRefusals,
  status: number,
  seconds: number,
): Response {
  return new Response(archiveRefusals[why], { status, headers: { 'Retry-After': String(seconds) } })
}

/** Ends a download that is read too slowly, with its transaction, and releases its place. */
function endInTime(archive: Readable, left: AbortSignal): void {
  const leave = () =>
    archive.destroy(new Error('The download of an archive took too long, or was left.'))
  const timer = setTimeout(leave, mostDownloadMs).unref()
  left.addEventListener('abort', leave, { once: true })
  archive.once('close', () => clearTimeout(timer))
  if (left.aborted) {
    leave()
  }
}

/** 'Delete my account'. */
export function action({ request }: Route.ActionArgs) {
  return answerDeletion(
    { db, files: fileStore, ratingsChange: writeCourseSearch, isOnlyOwner },
    request,
  )
}

export const clientAction = createClientAction<typeof action>()
