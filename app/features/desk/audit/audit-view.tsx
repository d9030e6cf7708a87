import { Link } from 'react-router'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/field'
import { Pager } from '~/ui/pager'
import type { DataOf } from '../desk-pages.server'
import { DeskTitle, ExportForm, FilterForm, Time } from '../desk-parts'

type Entry = DataOf<'audit'>['rows'][number]

export function AuditView({ filter, staff, rows, next }: DataOf<'audit'>) {
  return (
    <>
      <DeskTitle
        intro="What staff and operators did or opened, the newest first. It can’t be changed."
        side={<ExportForm table="audit" values={filter} />}
      >
        Audit
      </DeskTitle>
      <FilterForm>
        <SelectField label="Who" name="by" defaultValue={filter.by}>
          <option value="">Anybody</option>
          {staff.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field label="What" name="act" placeholder="learner disable" defaultValue={filter.act} />
        <Field label="About (a uid or number)" name="subject" defaultValue={filter.subject} />
        <Field label="From (UTC)" name="since" type="date" defaultValue={filter.since} />
        <Field label="Until" name="until" type="date" defaultValue={filter.until} />
      </FilterForm>
      <AuditTable rows={rows} empty="Nothing of this kind was done." />
      <Pager next={next} />
    </>
  )
}

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
