/**
 * /Desk/People/Import/:import: one import of a table of people, from the check of the file to the
 * last imported line.
 */
import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm, ExportForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { hasCourses } from '~/features/desk/import/column-meanings'
import { ColumnsForm } from '~/features/desk/import/columns-form'
import { importActions } from '~/features/desk/import/import-actions.server'
import { ImportBadge } from '~/features/desk/import/import-badge'
import { type ImportPageData, loadImportPage } from '~/features/desk/import/import-pages.server'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { byCount, formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { Pager } from '~/ui/pager'
import { ProgressBar } from '~/ui/progress-bar'
import type { Route } from './+types/import'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'change people')
  return requirePageData(await loadImportPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'change people')
  return handleDeskForm(args.request, desk, importActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function ImportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <ImportView {...loaderData} />
    </DeskPage>
  )
}

function ImportView(page: ImportPageData) {
  const { displayedImport, lastInvitationAt } = page
  const { status, fileName } = displayedImport
  const isInProgress = status === 'checking' || status === 'running'
  useReloadWhile(isInProgress)

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/People/Import', label: 'Import people' }}
        intro={<ImportBadge status={status} />}
      >
        <bdi>{fileName}</bdi>
      </DeskTitle>
      {displayedImport.refusal && (
        <Notice variant="bad" silent>
          <span className="whitespace-pre-line">{displayedImport.refusal}</span>
        </Notice>
      )}
      {isInProgress && <Progress displayedImport={displayedImport} />}
      {status === 'unclear' && displayedImport.columns && (
        <ColumnsForm columns={displayedImport.columns} />
      )}
      {status !== 'checking' && status !== 'unclear' && status !== 'refused' && (
        <ImportDetails displayedImport={displayedImport} lastInvitationAt={lastInvitationAt} />
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {status === 'checked' && displayedImport.changingLines > 0 && (
          <ActionForm
            intent="start"
            hiddenValues={{ seen: status }}
            variant="primary"
            buttonText={byCount(
              displayedImport.changingLines,
              'Import 1 line',
              `Import ${formatNumber(displayedImport.changingLines)} lines`,
            )}
          />
        )}
        {status === 'stopped' && (
          <ActionForm
            intent="start"
            hiddenValues={{ seen: status }}
            variant="primary"
            buttonText="Go on"
          />
        )}
        {status === 'running' && (
          <ActionForm intent="stop" hiddenValues={{ seen: status }} buttonText="Stop" />
        )}
        {status !== 'running' && (
          <ActionForm
            intent="discard"
            hiddenValues={{ seen: status }}
            buttonText="Remove the file"
          />
        )}
      </div>
      {(status === 'checked' || status === 'stopped' || status === 'done') && (
        <Section title="Lines">
          <Lines {...page} />
        </Section>
      )}
    </>
  )
}

const reloadEveryMs = 2_000

/** Reloads the page's data while a background job checks or imports the file. */
function useReloadWhile(isInProgress: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isInProgress) {
      return
    }

    const timer = setInterval(() => void revalidate(), reloadEveryMs)
    return () => clearInterval(timer)
  }, [isInProgress, revalidate])
}

function Progress({ displayedImport }: Pick<ImportPageData, 'displayedImport'>) {
  const { id, status, changingLines, importedLines, unchangedLines, faultyLines } = displayedImport
  const handledLines = importedLines + unchangedLines + faultyLines
  const percent =
    changingLines === 0 ? 0 : Math.min(100, Math.floor((importedLines * 100) / changingLines))
  return (
    <div className="card mb-6 p-5">
      {status === 'checking' ? (
        <p>The file is being checked.</p>
      ) : (
        <>
          <p className="mb-3">
            {formatNumber(importedLines)} of {formatNumber(changingLines)} lines are imported.
          </p>
          <ProgressBar percent={percent} label="Imported" />
        </>
      )}
      <noscript>
        <Link to={`/Desk/People/Import/${id}?at=${handledLines}`} className="link">
          Show the progress
        </Link>
      </noscript>
    </div>
  )
}

/** Shows what the import will do or has done, in numbers. */
function ImportDetails({
  displayedImport,
  lastInvitationAt,
}: Pick<ImportPageData, 'displayedImport' | 'lastInvitationAt'>) {
  const { status, changingLines, newAccounts, enrollments, ignoredColumns, columns } =
    displayedImport

  const details: DetailItem[] = [
    ['New accounts', formatNumber(newAccounts)],
    ['Enrollments', formatNumber(enrollments)],
    ['Lines that change nothing', formatNumber(displayedImport.unchangedLines)],
    ['Lines with a problem', formatNumber(displayedImport.faultyLines)],
  ]
  if (status !== 'checked') {
    details.push(['Imported lines', formatNumber(displayedImport.importedLines)])
  }

  if (ignoredColumns.length > 0) {
    details.push(['Columns that aren’t read', ignoredColumns.join(', ')])
  }

  if (status === 'checked' && lastInvitationAt) {
    details.push(['Last invitation would be sent', <Time key="last" at={lastInvitationAt} />])
  }

  return (
    <>
      {status === 'checked' && changingLines === 0 && (
        <Notice variant="warn" silent>
          No line of this file would change anything.
        </Notice>
      )}
      {status === 'checked' && columns && !hasCourses(columns) && (
        <Notice variant="warn" silent>
          No column of this file has course IDs, so nobody is enrolled. If one does, remove the file
          and upload it again.
        </Notice>
      )}
      <DetailList items={details} />
      {newAccounts > 0 && (
        <p className="mt-3 max-w-2xl text-muted text-sm">
          New learners confirm their email address with their invitation. Until then, they get the
          announcements to the courses of this file, but no announcements to everyone.
        </p>
      )}
    </>
  )
}

const tabClasses =
  'link aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline'

/** Shows the waiting lines or, if the URL asks for them, the lines with a problem. */
function Lines({ displayedImport, showsFaultyLines, rows, next }: ImportPageData) {
  const { id, status, faultyLines, changingLines, importedLines } = displayedImport
  const waitingLines = changingLines - importedLines

  return (
    <>
      {status !== 'done' && (
        <nav aria-label="Lines" className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
          <Link to="?" className={tabClasses} aria-current={showsFaultyLines ? undefined : 'page'}>
            {byCount(
              waitingLines,
              '1 line is waiting',
              `${formatNumber(waitingLines)} lines are waiting`,
            )}
          </Link>
          <Link
            to="?show=problems"
            className={tabClasses}
            aria-current={showsFaultyLines ? 'page' : undefined}
          >
            {byCount(
              faultyLines,
              '1 line has a problem',
              `${formatNumber(faultyLines)} lines have a problem`,
            )}
          </Link>
        </nav>
      )}
      {showsFaultyLines && faultyLines > 0 && (
        <div className="mb-4 grid gap-4">
          <p className="max-w-2xl text-muted">
            These lines were left out. Download them, fix them, and import the fixed file.
          </p>
          <ExportForm table="import-problems" hiddenValues={{ import: id }} />
        </div>
      )}
      <DataTable
        caption={showsFaultyLines ? 'Lines with a problem' : 'Waiting lines'}
        empty={showsFaultyLines ? 'No line has a problem.' : 'No line is waiting.'}
        columns={columns}
        rows={rows}
        getRowKey={({ lineNumber }) => String(lineNumber)}
      />
      <Pager next={next} />
    </>
  )
}

const columns: Column<ImportPageData['rows'][number]>[] = [
  {
    name: 'Person',
    cell: ({ firstName, lastName, email }) => (
      <>
        <bdi>{`${firstName} ${lastName}`.trim() || '–'}</bdi>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ problem, outcome }) => (
      <span className="[overflow-wrap:anywhere]">{problem ?? outcome}</span>
    ),
  },
  { name: 'Line', cell: ({ lineNumber }) => lineNumber, isNumber: true, showFrom: 'sm' },
]
