import { eq, inArray, sql } from 'drizzle-orm'
import { lastInvitationAt } from '~/features/accounts/account-administration.server'
import { cutPage, pageRows, readCursor } from '~/server/database/list-pages.server'
import { randomId } from '~/server/database/random-id.server'
import { importRows, imports } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { byCount, formatNumber } from '~/ui/format-count'
import type { DeskAction, DeskActionRequest } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { findImport, type ImportState, listImportRows, listImports } from './import-queries.server'

const usualPace = 60
const fastestPace = 6_000
const longestName = 200
/** Limits the files that wait to be checked or imported. */
const mostWaiting = 10

const upload: DeskAction = {
  name: 'learners import',
  permission: 'change people',
  isSensitive: true,
  async run({ transaction, form, staff }) {
    const file = form.get('file')
    if (!(file instanceof File) || file.size === 0) {
      throw new StartError('Choose a file.')
    }

    const pace = Number(form.get('pace'))
    if (!Number.isInteger(pace) || pace < 1 || pace > fastestPace) {
      throw new StartError(
        `Invitations a minute: a whole number from 1 to ${formatNumber(fastestPace)}.`,
      )
    }

    const waiting = await transaction.$count(
      imports,
      inArray(imports.state, ['checking', 'running']),
    )
    if (waiting >= mostWaiting) {
      throw new StartError('Several files are being imported. Wait until they are done.')
    }

    const id = randomId()
    const bytes = Buffer.from(await file.arrayBuffer())
    const fileName = file.name.slice(0, longestName) || 'The file'
    await transaction
      .insert(imports)
      .values({ id, by: staff.uid, fileName, file: bytes, emailsPerMinute: pace })

    return {
      subject: null,
      arguments: { import: id },
      outcome: 'Uploaded a table of people. Nothing is changed yet.',
      onward: `/Desk/People/Import/${id}`,
    }
  },
}

/** Uploads a table of people, and lists those of the last weeks. */
export const importsActions = { upload } satisfies Record<string, DeskAction>

export async function loadImportsPage({ db, search }: DeskRequest) {
  return { usualPace, fastestPace, ...cutPage(await listImports(db, readCursor(search))) }
}

/**
 * Moves an import to another state.
 *
 * @param from the possible states. The form says which one its page showed.
 */
async function move(
  { transaction, params, form, staff }: DeskActionRequest,
  from: ImportState[],
  state: ImportState,
) {
  const id = params.import ?? ''
  const seen = from.filter((one) => one === form.get('seen'))
  const [moved] = await transaction
    .update(imports)
    // The import now runs in the name of the person who continues it.
    .set({ state, ...(state === 'running' && { by: staff.uid, refusal: null }) })
    .where(sql`${eq(imports.id, id)} and ${inArray(imports.state, seen)}`)
    .returning()

  if (!moved) {
    throw new StartError('This import has changed in the meantime. Check it again.')
  }

  return moved
}

export const importActions = {
  start: {
    name: 'learners import',
    permission: 'change people',
    isSensitive: true,
    async run(call) {
      const { id, lines, imported } = await move(call, ['checked', 'stopped'], 'running')
      const left = lines - imported

      return {
        subject: null,
        arguments: { import: id },
        outcome: byCount(
          left,
          'Started importing 1 line.',
          `Started importing ${formatNumber(left)} lines.`,
        ),
      }
    },
  },
  stop: {
    name: 'learners import',
    permission: 'change people',
    isSensitive: false,
    async run(call) {
      const { id } = await move(call, ['running'], 'stopped')
      return {
        subject: null,
        arguments: { import: id },
        outcome: 'Stopped the import. Imported lines stay.',
      }
    },
  },
  discard: {
    name: 'learners import',
    permission: 'change people',
    isSensitive: false,
    async run(call) {
      const { id } = await move(call, ['checking', 'refused', 'checked', 'stopped', 'done'], 'done')
      await call.transaction.delete(importRows).where(eq(importRows.importId, id))
      await call.transaction.delete(imports).where(eq(imports.id, id))
      const outcome = 'Removed the table of people, and kept what was imported.'

      return { subject: null, arguments: { import: id }, outcome, onward: '/Desk/People/Import' }
    },
  },
} satisfies Record<string, DeskAction>

/** An uploaded table with its planned changes, its progress and its faulty lines. */
export async function loadImportPage({ db, params, search, now }: DeskRequest) {
  const found = await findImport(db, params.import ?? '')
  if (!found) {
    return null
  }

  const isProblem = search.get('show') === 'problems' || found.state === 'done'
  const typed = /^\d{1,9}$/.test(search.get('after') ?? '') ? Number(search.get('after')) : 0
  const after = isProblem ? typed : Math.max(typed, found.upTo)
  const rows = await listImportRows(db, { id: found.id, isProblem, after }, pageRows + 1)
  const shown = rows.slice(0, pageRows)
  const pauseMs = 60_000 / found.emailsPerMinute
  const first = Math.max(now.getTime(), (await lastInvitationAt(db)) + pauseMs)

  return {
    found,
    isProblem,
    rows: shown,
    next: rows.length > pageRows ? String(shown.at(-1)?.line) : null,
    /** The time of the last invitation, if the import starts now. */
    lastMailAt: found.newAccounts > 0 ? new Date(first + (found.newAccounts - 1) * pauseMs) : null,
  }
}

export type ImportsPageData = NonNullable<Awaited<ReturnType<typeof loadImportsPage>>>

export type ImportPageData = NonNullable<Awaited<ReturnType<typeof loadImportPage>>>
