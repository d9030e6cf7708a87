/** The pages where staff upload a table of people, check the planned changes and import them. */
import { and, eq, inArray } from 'drizzle-orm'
import { findLastInvitationMs } from '~/features/accounts/account-invitations.server'
import { cutPage, pageRows, readCursor } from '~/server/database/list-pages.server'
import { randomId } from '~/server/database/random-id.server'
import { courses, importRows, imports } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  createDeskAction,
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { columnFieldName, findColumnProblem, isColumnMeaning } from './column-meanings'
import {
  findImport,
  type Import,
  type ImportState,
  listImportRows,
  listImports,
} from './import-queries.server'
import { importActionName } from './learner-import.server'

/** The numbers of invitations a minute that the form suggests and allows. */
const defaultPace = 60
const maxPace = 6_000
const maxFileNameLength = 200
/** Limits the files that wait to be checked or imported. */
const maxWaitingImports = 10

/** @param options.needsRecentSignIn whether the action creates accounts, or could */
function createImportAction(
  change: (request: DeskChangeRequest) => Promise<Result<DeskChangeResult>>,
  { needsRecentSignIn }: { needsRecentSignIn: boolean },
): DeskAction {
  return createDeskAction(
    { name: importActionName, permission: 'change people', needsRecentSignIn },
    change,
  )
}

/** The action of the page that lists the imports of the last weeks. */
export const importsActions = {
  upload: createImportAction(uploadImport, { needsRecentSignIn: true }),
} satisfies Record<string, DeskAction>

/** The actions of the page of one import. */
export const importActions = {
  columns: createImportAction(chooseColumns, { needsRecentSignIn: false }),
  start: createImportAction(startImport, { needsRecentSignIn: true }),
  stop: createImportAction(stopImport, { needsRecentSignIn: false }),
  discard: createImportAction(discardImport, { needsRecentSignIn: false }),
} satisfies Record<string, DeskAction>

/** Stores a table of people. The background job checks it; nobody is imported yet. */
async function uploadImport({
  transaction,
  form,
  staff,
}: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0) {
    return failure('Choose a file.')
  }

  const emailsPerMinute = Number(form.get('pace'))
  const isAllowedPace =
    Number.isInteger(emailsPerMinute) && emailsPerMinute >= 1 && emailsPerMinute <= maxPace
  if (!isAllowedPace) {
    return failure(`Invitations a minute: a whole number from 1 to ${formatNumber(maxPace)}.`)
  }

  const isWaiting = inArray(imports.state, ['checking', 'running'])
  const waitingImports = await transaction.$count(imports, isWaiting)
  if (waitingImports >= maxWaitingImports) {
    return failure('Several files are being imported. Wait until they are done.')
  }

  const id = randomId()
  const bytes = Buffer.from(await file.arrayBuffer())
  const fileName = file.name.slice(0, maxFileNameLength) || 'The file'
  await transaction
    .insert(imports)
    .values({ id, by: staff.uid, fileName, file: bytes, emailsPerMinute })

  return success({
    subject: null,
    arguments: { import: id },
    outcome: 'Uploaded a table of people. Nothing is changed yet.',
    redirectTo: `/Desk/People/Import/${id}`,
  })
}

/** Stores which column means what. The background job then checks the file. */
async function chooseColumns(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const { transaction, params, form } = request
  const unclearImport = await findImport(transaction, params.import ?? '')
  const columns = (unclearImport?.columns ?? []).map((column, index) => {
    const choice = String(form.get(columnFieldName(index)) ?? '')
    return { ...column, meaning: isColumnMeaning(choice) ? choice : null }
  })

  const problem = findColumnProblem(columns)
  if (problem !== null) {
    return failure(problem)
  }

  const result = await changeImportState(request, ['unclear'], 'checking')
  if (!result.ok) {
    return result
  }

  const { id } = result.value
  await transaction.update(imports).set({ columns }).where(eq(imports.id, id))

  const usedColumns = columns.filter(({ meaning }) => meaning !== null)
  const choices = usedColumns.map(({ name, meaning }) => `${name}: ${meaning}`)
  return success({
    subject: null,
    arguments: { import: id, columns: choices.join(', ') },
    outcome: 'Chose the columns of a table of people. Nothing is changed yet.',
  })
}

/** Starts importing, or continues. The background job imports the lines. */
async function startImport(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const result = await changeImportState(request, ['checked', 'stopped'], 'running')
  if (!result.ok) {
    return result
  }

  const { id, lines, imported } = result.value
  const remainingLines = lines - imported
  const outcome = byCount(
    remainingLines,
    'Started importing 1 line.',
    `Started importing ${formatNumber(remainingLines)} lines.`,
  )
  return success({ subject: null, arguments: { import: id }, outcome })
}

async function stopImport(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const result = await changeImportState(request, ['running'], 'stopped')
  if (!result.ok) {
    return result
  }

  return success({
    subject: null,
    arguments: { import: result.value.id },
    outcome: 'Stopped the import. Imported lines stay.',
  })
}

/** Deletes the table, whatever its status, unless it is being imported. */
async function discardImport(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const allowedStates: ImportState[] = [
    'checking',
    'unclear',
    'refused',
    'checked',
    'stopped',
    'done',
  ]
  const result = await changeImportState(request, allowedStates, 'done')
  if (!result.ok) {
    return result
  }

  const { id } = result.value
  const { transaction } = request
  await transaction.delete(importRows).where(eq(importRows.importId, id))
  await transaction.delete(imports).where(eq(imports.id, id))

  return success({
    subject: null,
    arguments: { import: id },
    outcome: 'Removed the table of people, and kept what was imported.',
    redirectTo: '/Desk/People/Import',
  })
}

/**
 * Changes the status of the import in the page's URL. Fails unless the import still has the status
 * that the page showed, and that status allows the change.
 */
async function changeImportState(
  { transaction, params, form, staff }: DeskChangeRequest,
  allowedStates: readonly ImportState[],
  state: ImportState,
): Promise<Result<typeof imports.$inferSelect>> {
  const expectedStates = allowedStates.filter((allowedState) => allowedState === form.get('seen'))
  // A started import runs in the name of the person who starts or continues it.
  const importer = state === 'running' ? { by: staff.uid, refusal: null } : {}

  const [changedImport] = await transaction
    .update(imports)
    .set({ state, ...importer })
    .where(and(eq(imports.id, params.import ?? ''), inArray(imports.state, expectedStates)))
    .returning()

  if (!changedImport) {
    return failure('This import has changed in the meantime. Check it again.')
  }

  return success(changedImport)
}

export type ImportsPageData = Awaited<ReturnType<typeof loadImportsPage>>

/** Loads a page of the list of imports, newest first. */
export async function loadImportsPage({ db, search }: DeskRequest) {
  const imports = await listImports(db, readCursor(search))
  return {
    defaultPace,
    maxPace,
    templateCsv: createTemplate(await listTemplateCourseIds(db)),
    ...cutPage(imports),
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
 * Returns the table behind 'Download a template'.
 *
 * @param courseIds the courses in it; the column stays empty in a school without courses
 */
function createTemplate(courseIds: readonly string[]): string {
  return [
    'email,first_name,last_name,courses',
    `ada@school.example,Ada,Lovelace,${courseIds[0] ?? ''}`,
    `grace@school.example,Grace,Hopper,${courseIds.join(' ')}`,
  ].join('\r\n')
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

  const { id, state, upTo, emailsPerMinute, newAccounts } = displayedImport
  const isProblem = search.get('show') === 'problems' || state === 'done'
  const lineInUrl = parseLine(search.get('after') ?? '')
  // Lines that were imported are deleted, so the lines that wait begin after them.
  const previousLine = isProblem ? lineInUrl : Math.max(lineInUrl, upTo)

  // One line more than a page shows tells whether there is a next page.
  const rows = await listImportRows(db, { importId: id, isProblem, previousLine }, pageRows + 1)
  const rowsOnPage = rows.slice(0, pageRows)
  const hasNextPage = rows.length > pageRows

  return {
    displayedImport,
    isProblem,
    rows: rowsOnPage,
    next: hasNextPage ? String(rowsOnPage.at(-1)?.lineNumber) : null,
    /** The time of the last invitation, if the import starts now. */
    lastMailAt:
      newAccounts > 0 ? await findLastMailTime(db, now, { newAccounts, emailsPerMinute }) : null,
  }
}

function parseLine(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

async function findLastMailTime(
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
