import { Link } from 'react-router'
import { type Column, DataTable } from '~/ui/data-table'
import { byCount, formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import { ExportForm } from '../desk-forms'
import type { ImportPageData } from './import-pages.server'

const tabClasses =
  'link aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline'

/** Shows the waiting lines or, if the URL asks for them, the lines with a problem. */
export function ImportLines({ displayedImport, showsFaultyLines, rows, next }: ImportPageData) {
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
