/**
 * What staff do with an import: upload a table of people, choose its columns, and start, stop or
 * discard the import. The background job checks the table and imports its lines.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { randomId } from '~/server/database/random-id.server'
import { importRows, imports } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  createDeskAction,
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
} from '../desk-form.server'
import { columnFieldName, findColumnProblem, isColumnMeaning } from './column-meanings'
import { findImport, type ImportStatus } from './import-queries.server'
import { importActionName } from './learner-import.server'

/** The largest number of invitations that the form allows to send per minute. */
export const maxInvitationsPerMinute = 6_000
const maxFileNameLength = 200
/** The largest number of files that may be in the background job at once. */
const maxOpenImports = 10

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
  const isAllowedNumber =
    Number.isInteger(emailsPerMinute) &&
    emailsPerMinute >= 1 &&
    emailsPerMinute <= maxInvitationsPerMinute
  if (!isAllowedNumber) {
    return failure(
      `Invitations a minute: a whole number from 1 to ${formatNumber(maxInvitationsPerMinute)}.`,
    )
  }

  const isOpen = inArray(imports.status, ['checking', 'running'])
  const openImports = await transaction.$count(imports, isOpen)
  if (openImports >= maxOpenImports) {
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

  const result = await changeImportStatus(request, ['unclear'], 'checking')
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
  const result = await changeImportStatus(request, ['checked', 'stopped'], 'running')
  if (!result.ok) {
    return result
  }

  const { id, changingLines, importedLines } = result.value
  const remainingLines = changingLines - importedLines
  const outcome = byCount(
    remainingLines,
    'Started importing 1 line.',
    `Started importing ${formatNumber(remainingLines)} lines.`,
  )
  return success({ subject: null, arguments: { import: id }, outcome })
}

async function stopImport(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const result = await changeImportStatus(request, ['running'], 'stopped')
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
  const allowedStatuses: ImportStatus[] = [
    'checking',
    'unclear',
    'refused',
    'checked',
    'stopped',
    'done',
  ]
  const result = await changeImportStatus(request, allowedStatuses, 'done')
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
async function changeImportStatus(
  { transaction, params, form, staff }: DeskChangeRequest,
  allowedStatuses: readonly ImportStatus[],
  newStatus: ImportStatus,
): Promise<Result<typeof imports.$inferSelect>> {
  const seenStatus = form.get('seen')
  const expectedStatuses = allowedStatuses.filter((status) => status === seenStatus)
  // A started import runs in the name of the person who starts or continues it.
  const importer = newStatus === 'running' ? { by: staff.uid, refusal: null } : {}

  const [changedImport] = await transaction
    .update(imports)
    .set({ status: newStatus, ...importer })
    .where(and(eq(imports.id, params.import ?? ''), inArray(imports.status, expectedStatuses)))
    .returning()

  if (!changedImport) {
    return failure('This import has changed in the meantime. Check it again.')
  }

  return success(changedImport)
}
