import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateAfterRefusal } from '~/features/desk/desk-page'
import {
  ActionForm,
  DeskTitle,
  DetailList,
  ExportForm,
  Section,
  Time,
} from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { ImportBadge } from '~/features/desk/import/import-badge'
import {
  type ImportPageData,
  importActions,
  loadImportPage,
} from '~/features/desk/import/import-pages.server'
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

export const shouldRevalidate = revalidateAfterRefusal

export default function ImportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <ImportView {...loaderData} />
    </DeskPage>
  )
}

type Data = ImportPageData

type Import = Data['displayedImport']

function ImportView({ displayedImport, isProblem, rows, next, lastMailAt }: Data) {
  const { state, fileName } = displayedImport
  const values = { seen: state }
  const isWorking = state === 'checking' || state === 'running'
  useReloadWhile(isWorking)

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/People/Import', label: 'Import people' }}
        intro={<ImportBadge state={state} />}
      >
        <bdi>{fileName}</bdi>
      </DeskTitle>
      {displayedImport.refusal && (
        <Notice variant="bad" silent>
          <span className="whitespace-pre-line">{displayedImport.refusal}</span>
        </Notice>
      )}
      {isWorking && <Progress displayedImport={displayedImport} />}
      {state !== 'checking' && state !== 'refused' && (
        <Plan displayedImport={displayedImport} lastMailAt={lastMailAt} />
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {state === 'checked' && displayedImport.lines > 0 && (
          <ActionForm
            intent="start"
            hiddenValues={values}
            variant="primary"
            buttonText={byCount(
              displayedImport.lines,
              'Import 1 line',
              `Import ${formatNumber(displayedImport.lines)} lines`,
            )}
          />
        )}
        {state === 'stopped' && (
          <ActionForm intent="start" hiddenValues={values} variant="primary" buttonText="Go on" />
        )}
        {state === 'running' && (
          <ActionForm intent="stop" hiddenValues={values} buttonText="Stop" />
        )}
        {state !== 'running' && (
          <ActionForm intent="discard" hiddenValues={values} buttonText="Remove the file" />
        )}
      </div>
      {(state === 'checked' || state === 'stopped' || state === 'done') && (
        <Section title="Lines">
          <Lines {...{ displayedImport, isProblem, rows, next }} />
        </Section>
      )}
    </>
  )
}

const everyMs = 2_000

/** Reloads the page's data while the background work continues. */
function useReloadWhile(isWorking: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isWorking) {
      return
    }

    const timer = setInterval(() => void revalidate(), everyMs)
    return () => clearInterval(timer)
  }, [isWorking, revalidate])
}

function Progress({
  displayedImport: { id, state, lines, imported, unchanged, failed },
}: {
  displayedImport: Import
}) {
  const percent = lines === 0 ? 0 : Math.min(100, Math.floor((imported * 100) / lines))
  return (
    <div className="card mb-6 p-5">
      {state === 'checking' ? (
        <p>The file is being checked.</p>
      ) : (
        <>
          <p className="mb-3">
            {formatNumber(imported)} of {formatNumber(lines)} lines are imported.
          </p>
          <ProgressBar percent={percent} label="Imported" />
        </>
      )}
      <noscript>
        <Link to={`/Desk/People/Import/${id}?at=${imported + unchanged + failed}`} className="link">
          Show the progress
        </Link>
      </noscript>
    </div>
  )
}

function Plan({
  displayedImport,
  lastMailAt,
}: {
  displayedImport: Import
  lastMailAt: Date | null
}) {
  const { state, lines, newAccounts, enrollments, unchanged, failed, imported, ignored } =
    displayedImport
  return (
    <>
      {state === 'checked' && lines === 0 && (
        <Notice variant="warn" silent>
          No line of this file would change anything.
        </Notice>
      )}
      <DetailList
        items={[
          ['New accounts', formatNumber(newAccounts)],
          ['Enrollments', formatNumber(enrollments)],
          ['Lines that change nothing', formatNumber(unchanged)],
          ['Lines with a problem', formatNumber(failed)],
          ...(state === 'checked' ? [] : [['Imported lines', formatNumber(imported)] as const]),
          ...(ignored.length > 0
            ? [['Columns that aren’t read', ignored.join(', ')] as const]
            : []),
          ...(state === 'checked' && lastMailAt
            ? [['Last invitation would be sent', <Time key="last" at={lastMailAt} />] as const]
            : []),
        ]}
      />
    </>
  )
}

const tabLook =
  'link aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline'

function Lines({
  displayedImport,
  isProblem,
  rows,
  next,
}: Pick<Data, 'displayedImport' | 'isProblem' | 'rows' | 'next'>) {
  const { id, state, failed, lines, imported } = displayedImport
  const waiting = lines - imported

  return (
    <>
      {state !== 'done' && (
        <nav aria-label="Lines" className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
          <Link to="?" className={tabLook} aria-current={isProblem ? undefined : 'page'}>
            {byCount(waiting, '1 line is waiting', `${formatNumber(waiting)} lines are waiting`)}
          </Link>
          <Link
            to="?show=problems"
            className={tabLook}
            aria-current={isProblem ? 'page' : undefined}
          >
            {byCount(
              failed,
              '1 line has a problem',
              `${formatNumber(failed)} lines have a problem`,
            )}
          </Link>
        </nav>
      )}
      {isProblem && failed > 0 && (
        <div className="mb-4 grid gap-4">
          <p className="max-w-2xl text-muted">
            These lines were left out. Download them, fix them, and import the fixed file.
          </p>
          <ExportForm table="import-problems" hiddenValues={{ import: id }} />
        </div>
      )}
      <DataTable
        caption={isProblem ? 'Lines with a problem' : 'Waiting lines'}
        empty={isProblem ? 'No line has a problem.' : 'No line is waiting.'}
        columns={columns}
        rows={rows}
        getRowKey={({ line }) => String(line)}
      />
      <Pager next={next} />
    </>
  )
}

const columns: Column<Data['rows'][number]>[] = [
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
  { name: 'Line', cell: ({ line }) => line, isNumber: true, showFrom: 'sm' },
]
