import { Link } from 'react-router'
import { byCount, formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { type DetailItem, DetailList, Time } from '../desk-parts'
import { hasCourses } from './column-meanings'
import type { ImportPageData } from './import-pages.server'

/**
 * Says that the background job checks the file or, while it imports the lines, how many are done.
 */
export function ImportProgress({ displayedImport }: Pick<ImportPageData, 'displayedImport'>) {
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
        {/* The number makes the URL a new one, so that the browser loads the page again. */}
        <Link to={`/Desk/People/Import/${id}?at=${handledLines}`} className="link">
          Show the progress
        </Link>
      </noscript>
    </div>
  )
}

/** Shows in numbers what the import will do, or what it has done. */
export function ImportDetails({
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
          {byCount(
            newAccounts,
            '1 new learner can’t be emailed announcements to everyone until they confirm their email address with their invitation.',
            `${formatNumber(newAccounts)} new learners can’t be emailed announcements to everyone until they confirm their email addresses with their invitations.`,
          )}{' '}
          Until then, they get only announcements to the courses of this file.{' '}
          <Link to="/Desk/People?state=unconfirmed" className="link">
            Show who hasn’t confirmed
          </Link>
        </p>
      )}
    </>
  )
}
