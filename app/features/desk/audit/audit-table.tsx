import { Link } from 'react-router'
import type { AuditPageData } from '~/features/desk/audit/audit-page.server'
import { Time } from '~/features/desk/desk-parts'
import { type Column, DataTable } from '~/ui/data-table'

type Entry = AuditPageData['rows'][number]

type AuditTableProps = {
  rows: readonly Entry[]
  empty: string
  /** On a page about one person: without the column that names the person. */
  isAboutOne?: boolean
}

export function AuditTable({ rows, empty, isAboutOne = false }: AuditTableProps) {
  const shown = isAboutOne ? columns.filter(({ name }) => name !== 'About') : columns
  return (
    <DataTable
      caption="Acts, the newest first"
      empty={empty}
      columns={shown}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}

/** Shows each value before and after the act. */
function ChangeList({ changes }: { changes: NonNullable<Entry['changes']> }) {
  return (
    <dl className="mt-1 grid gap-1 text-sm">
      {Object.entries(changes).map(([name, { from, to }]) => (
        <div key={name} className="[overflow-wrap:anywhere]">
          <dt className="inline font-medium">{`${name}:`}</dt>{' '}
          <dd className="inline">
            <del className="text-muted">
              <Value of={from} />
            </del>{' '}
            →{' '}
            <ins className="no-underline">
              <Value of={to} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined) {
    return 'none'
  }

  if (typeof of === 'boolean') {
    return of ? 'yes' : 'no'
  }

  return typeof of === 'string' ? (
    <bdi className="whitespace-pre-line">{of}</bdi>
  ) : (
    JSON.stringify(of)
  )
}

const columns: Column<Entry>[] = [
  {
    name: 'What',
    of: ({ outcome, act, given, changes, at, by, byName }) => (
      <>
        {outcome}
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {given ? `${act}, ${given}` : act}
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
