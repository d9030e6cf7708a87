import { Link } from 'react-router'
import type { AuditPageData } from '~/features/desk/audit/audit-page.server'
import { Time } from '~/features/desk/desk-parts'
import { type Column, DataTable } from '~/ui/data-table'

type AuditRow = AuditPageData['rows'][number]

type AuditTableProps = {
  rows: readonly AuditRow[]
  empty: string
  /** Whether to show what each entry is about. It isn't needed if all are about one person. */
  hasSubjectColumn?: boolean
}

export function AuditTable({ rows, empty, hasSubjectColumn = true }: AuditTableProps) {
  const columns = hasSubjectColumn
    ? [actionColumn, actorColumn, subjectColumn, timeColumn]
    : [actionColumn, actorColumn, timeColumn]

  return (
    <DataTable
      caption="Acts, the newest first"
      empty={empty}
      columns={columns}
      rows={rows}
      getRowKey={({ id }) => id}
    />
  )
}

const actionColumn: Column<AuditRow> = {
  name: 'What',
  cell: ({ outcome, action, argumentText, changes, at, actor, actorName }) => (
    <>
      {outcome}
      <span className="block text-muted text-sm [overflow-wrap:anywhere]">
        {argumentText ? `${action}, ${argumentText}` : action}
      </span>
      {changes && <ChangeList changes={changes} />}
      <span className="block text-muted text-sm sm:hidden">
        <bdi>{actorName ?? actor}</bdi>, <Time at={at} />
      </span>
    </>
  ),
}

const actorColumn: Column<AuditRow> = {
  name: 'Who',
  cell: ({ actor, actorName }) => <bdi>{actorName ?? actor}</bdi>,
  showFrom: 'sm',
}

const subjectColumn: Column<AuditRow> = {
  name: 'About',
  cell: ({ subject, subjectName }) =>
    subjectName ? (
      <Link to={`/Desk/People/${subject}`} className="link">
        {subjectName}
      </Link>
    ) : (
      (subject ?? '–')
    ),
  showFrom: 'md',
}

const timeColumn: Column<AuditRow> = {
  name: 'When',
  cell: ({ at }) => <Time at={at} />,
  showFrom: 'sm',
}

/** Shows each changed value, before and after the action. */
function ChangeList({ changes }: { changes: NonNullable<AuditRow['changes']> }) {
  return (
    <dl className="mt-1 grid gap-1 text-sm">
      {Object.entries(changes).map(([name, { from, to }]) => (
        <div key={name} className="[overflow-wrap:anywhere]">
          <dt className="inline font-medium">{`${name}:`}</dt>{' '}
          <dd className="inline">
            <del className="text-muted">
              <Value value={from} />
            </del>{' '}
            →{' '}
            <ins className="no-underline">
              <Value value={to} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) {
    return 'none'
  }

  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no'
  }

  if (typeof value === 'string') {
    return <bdi className="whitespace-pre-line">{value}</bdi>
  }

  return JSON.stringify(value)
}
