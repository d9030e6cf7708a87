import { Link } from 'react-router'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/field'
import { Pager } from '~/ui/pager'
import type { DataOf } from '../desk-pages.server'
import { DeskTitle, ExportForm, FilterForm, Nothing, Time } from '../desk-parts'

type Entry = DataOf<'audit'>['rows'][number]

export function AuditView({ filter, staff, rows, next }: DataOf<'audit'>) {
  return (
    <>
      <DeskTitle
        intro="What staff and operators did or opened, the newest first. It can’t be changed."
        side={<ExportForm table="audit" />}
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
        <Field label="From" name="since" type="date" defaultValue={filter.since} />
      </FilterForm>
      {rows.length === 0 ? <Nothing>Nothing of this kind was done.</Nothing> : <AuditTable rows={rows} />}
      <Pager next={next} />
    </>
  )
}

/** @param isAboutOne leaves out whom each act is about. */
export function AuditTable({ rows, isAboutOne = false }: { rows: readonly Entry[]; isAboutOne?: boolean }) {
  const shown = isAboutOne ? columns.filter(({ name }) => name !== 'About') : columns
  return <DataTable caption="Acts, the newest first" columns={shown} rows={rows} keyOf={({ id }) => id} />
}

const columns: Column<Entry>[] = [
  {
    name: 'What',
    of: ({ outcome, act, given, at }) => (
      <>
        {outcome}
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">{given ? `${act}, ${given}` : act}</span>
        <span className="block text-muted text-sm sm:hidden">
          <Time at={at} />
        </span>
      </>
    ),
  },
  { name: 'Who', of: ({ by, byName }) => byName ?? by },
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
