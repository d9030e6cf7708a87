/** Loads the pages of imports of people: the list of imports, and one import with its lines. */
import { eq } from 'drizzle-orm'
import { findLastInvitationMs } from '~/features/accounts/account-invitations.server'
import { readCursor, rowsPerPage, toPage } from '~/server/database/list-pages.server'
import { courses } from '~/server/database/schema'
import type { DeskRequest } from '../desk-request.server'
import { maxInvitationsPerMinute } from './import-actions.server'
import { findImport, type Import, listImportRows, listImports } from './import-queries.server'

const defaultInvitationsPerMinute = 60

export type ImportsPageData = Awaited<ReturnType<typeof loadImportsPage>>

/** Loads a page of the list of imports, newest first. */
export async function loadImportsPage({ db, search }: DeskRequest) {
  const imports = await listImports(db, readCursor(search))
  return {
    defaultInvitationsPerMinute,
    maxInvitationsPerMinute,
    templateRows: createTemplateRows(await listTemplateCourseIds(db)),
    ...toPage(imports),
  }
}

/** Returns two courses of the school, so that the template can be imported as it is. */
async function listTemplateCourseIds(db: DeskRequest['db']): Promise<string[]> {
  const rows = await db
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.published, true))
    .orderBy(courses.id)
    .limit(2)

  return rows.map(({ id }) => id)
}

/**
 * Returns the rows behind 'Download a template', without characters that CSV has to quote.
 *
 * @param courseIds the courses in it; the column stays empty in a school without courses
 */
function createTemplateRows(courseIds: readonly string[]): string[][] {
  return [
    ['email', 'first_name', 'last_name', 'courses'],
    ['ada@school.example', 'Ada', 'Lovelace', courseIds[0] ?? ''],
    ['grace@school.example', 'Grace', 'Hopper', courseIds.join(' ')],
  ]
}

export type ImportPageData = NonNullable<Awaited<ReturnType<typeof loadImportPage>>>

/**
 * Loads one import, with a page of its lines: those that wait, or the faulty ones. Returns null if
 * there is no such import.
 */
export async function loadImportPage({ db, params, search, now }: DeskRequest) {
  const displayedImport = await findImport(db, params.import ?? '')
  if (displayedImport === null) {
    return null
  }

  const { id, status, lastHandledLine, emailsPerMinute, newAccounts } = displayedImport
  const showsFaultyLines = search.get('show') === 'problems' || status === 'done'
  const lineInUrl = parseLineNumber(search.get('after') ?? '')
  // Lines that were imported are deleted, so the lines that wait begin after them.
  const previousLine = showsFaultyLines ? lineInUrl : Math.max(lineInUrl, lastHandledLine)

  // One line more than a page shows tells whether there is a next page.
  const kind = showsFaultyLines ? 'faulty' : 'waiting'
  const rows = await listImportRows(db, { importId: id, kind, previousLine }, rowsPerPage + 1)
  const rowsOnPage = rows.slice(0, rowsPerPage)
  const hasNextPage = rows.length > rowsPerPage

  return {
    displayedImport,
    showsFaultyLines,
    rows: rowsOnPage,
    next: hasNextPage ? String(rowsOnPage.at(-1)?.lineNumber) : null,
    /** The time of the last invitation, if the import starts now. */
    lastInvitationAt:
      newAccounts > 0
        ? await findLastInvitationTime(db, now, { newAccounts, emailsPerMinute })
        : null,
  }
}

function parseLineNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

async function findLastInvitationTime(
  db: DeskRequest['db'],
  now: Date,
  { newAccounts, emailsPerMinute }: Pick<Import, 'newAccounts' | 'emailsPerMinute'>,
): Promise<Date> {
  const pauseMs = 60_000 / emailsPerMinute
  // Invitations of earlier imports that wait are sent first.
  const previousInvitationMs = await findLastInvitationMs(db)
  const firstInvitationMs = Math.max(now.getTime(), previousInvitationMs + pauseMs)

  return new Date(firstInvitationMs + (newAccounts - 1) * pauseMs)
}
