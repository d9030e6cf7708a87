/**
 * /OwnData: download all data that is stored about the learner (GET), or delete the account (POST).
 */
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { redirect } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { handleDeletionForm } from '~/features/accounts/own-data/account-deletion-form.server'
import {
  createOwnDataArchive,
  maxDownloadMs,
} from '~/features/accounts/own-data/own-data-archive.server'
import {
  redirectToLogin,
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { settingsMessages } from '~/features/accounts/settings/settings-messages'
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

/**
 * Few archives are created at the same time, because each reads a whole account in one transaction.
 */
const archiveSlots = limitConcurrency(2, { name: 'archives', maxWaiting: 20 })
/** Proxies give up if a response takes longer than a minute. */
const maxWaitMs = 20_000
/** The accounts with a running or waiting download. Each account may have one at a time. */
const accountsWithDownload = new Set<string>()

/**
 * A visitor who opens the download is led to it after signing in. A visitor who sends the form
 * 'Delete my account' is led to the settings, because signing in must not start a download then.
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

/** 'Download my data': responds with an archive of everything that is stored about the learner. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  await requireRecentSignIn(request, '/Profile/settings?confirmed=download#own-data')
  const now = new Date()
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="learnify-data-${now.toISOString().slice(0, 10)}.zip"`,
  }
  // A response to HEAD has no body.
  if (request.method === 'HEAD') {
    return new Response(null, { headers })
  }

  if (accountsWithDownload.has(uid)) {
    return archiveErrorResponse('under-way', 429, 60)
  }

  const isWithinLimit = await accountService.attempts.consume(attemptLimits.exportByAccount, uid)
  if (!isWithinLimit) {
    return archiveErrorResponse('over-limit', 429, 60 * 60)
  }

  const releaseSlot = await acquireArchiveSlot(uid, request.signal)
  if (!releaseSlot) {
    await accountService.attempts.giveBack(attemptLimits.exportByAccount, uid)
    return archiveErrorResponse('busy', 503, 60)
  }

  const archive = await openArchive(uid, now, releaseSlot)
  abortSlowDownload(archive, request.signal)

  return new Response(Readable.toWeb(archive) as ReadableStream<Uint8Array>, { headers })
}

/**
 * Opens the archive on a database connection of its own, because a slow download would block a
 * connection of the pool for minutes.
 *
 * @param releaseSlot is called when the archive is closed, or when it can't be opened
 * @throws if the database can't be reached, before the download starts
 */
async function openArchive(uid: string, now: Date, releaseSlot: () => void): Promise<Readable> {
  const connection = connect(sessionUrl, { poolSize: 1, timeoutMs: maxDownloadMs })
  const close = () => {
    releaseSlot()
    connection.pool.end().catch((error) => reportError(error))
  }

  try {
    await connection.database.execute(sql`select`)
  } catch (error) {
    close()
    throw error
  }

  const sources = {
    db: connection.database,
    files: fileStore,
    listAnsweredCourses: listCoursesWithVisibleAnswers,
    listMoreFiles,
  }

  return createOwnDataArchive(sources, uid, now).once('close', close)
}

async function* listMoreFiles(uid: string) {
  yield* listCertificateFiles(db, uid)
  yield* listReceiptFiles(db, uid)
}

/** @returns a function that releases the slot; null if too many downloads are running or waiting */
async function acquireArchiveSlot(
  uid: string,
  clientDisconnected: AbortSignal,
): Promise<(() => void) | null> {
  accountsWithDownload.add(uid)
  try {
    const releaseSlot = await archiveSlots.acquire(
      AbortSignal.any([clientDisconnected, AbortSignal.timeout(maxWaitMs)]),
    )
    return () => {
      accountsWithDownload.delete(uid)
      releaseSlot()
    }
  } catch (error) {
    accountsWithDownload.delete(uid)
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}

function archiveErrorResponse(
  problem: keyof typeof settingsMessages.archiveRefusals,
  status: number,
  retryAfterSeconds: number,
): Response {
  return new Response(settingsMessages.archiveRefusals[problem], {
    status,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}

/** Aborts a download, and with it its transaction, when it takes too long or the client leaves. */
function abortSlowDownload(archive: Readable, clientDisconnected: AbortSignal): void {
  const abort = () =>
    archive.destroy(new Error('The download of an archive took too long or was canceled.'))
  const timer = setTimeout(abort, maxDownloadMs).unref()
  clientDisconnected.addEventListener('abort', abort, { once: true })
  archive.once('close', () => clearTimeout(timer))
  if (clientDisconnected.aborted) {
    abort()
  }
}

/** 'Delete my account', whose form is on the settings page. */
export function action({ request }: Route.ActionArgs) {
  return handleDeletionForm(
    { db, files: fileStore, updateRatings: writeCourseSearch, isOnlyOwner },
    request,
  )
}

export const clientAction = createClientAction<typeof action>()
