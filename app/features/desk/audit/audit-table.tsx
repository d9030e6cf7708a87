import { Link } from 'react-router'
import type { AuditPageData } from '~/features/desk/audit/audit-page.server'
import { Time } from '~/features/desk/desk-parts'
import { type Column, DataTable } from '~/ui/data-table'

type Entry = AuditPageData['rows'][number]

type AuditTableProps = {
  rows: readonly Entry[]
  empty: string
  /** Whether all entries are about one person, so that the column 'About' is not needed. */
  isAboutOne?: boolean
}

export function AuditTable({ rows, empty, isAboutOne = false }: AuditTableProps) {
  const shownColumns = isAboutOne ? columns.filter(({ name }) => name !== 'About') : columns

  return (
    <DataTable
      caption="Acts, the newest first"
      empty={empty}
      columns={shownColumns}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}

const columns: Column<Entry>[] = [
  {
    name: 'What',
    of: ({ outcome, act, argumentText, changes, at, by, byName }) => (
      <>
        {outcome}
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {argumentText ? `${act}, ${argumentText}` : act}
        </span>
        {changes && <ChangeList changes={changes} />}
        <span className="block text-muted text-sm sm:hidden">
          <bdi>{byName ?? by}</bdi>, <Time at={at} />
        </span>
      </>
    ),
  },
  { name: 'Who', of: ({ by, byName }) => <bdi>{byName ?? by}</bdi>, from: 'sm' },
  {
    name: 'About',
    of: ({ subject, subjectName }) =>
      subjectName ? (
        <Link to={`/Desk/People/${subject}`} className="link">
          {subjectName}
        </Link>
      ) : (
        (subject ?? '–')
      ),
    from: 'md',
  },
  { name: 'When', of: ({ at }) => <Time at={at} />, from: 'sm' },
]

/** Shows each changed value, before and after the action. */
function ChangeList({ changes }: { changes: NonNullable<Entry['changes']> }) {
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
