/** /Desk/Audit: what staff and operators did, with filters and an export. */
import { useContext } from 'react'
import { type AuditPageData, loadAuditPage } from '~/features/desk/audit/audit-page.server'
import { AuditTable } from '~/features/desk/audit/audit-table'
import { DeskContext } from '~/features/desk/desk-context'
import { ExportForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import { requireDesk, respondUnknownPage } from '~/features/desk/desk-request.server'
import { formatTimeZone } from '~/features/school/local-time'
import { Field, SelectField } from '~/ui/form/field'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/audit'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see audit log')
  return loadAuditPage(desk)
}

/** Nothing on this page is submitted to the page. The export is a form of another URL. */
export const action = respondUnknownPage

export default function AuditRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <AuditView {...loaderData} />
    </DeskPage>
  )
}

function AuditView({ filterFields, staff, rows, next }: AuditPageData) {
  const { schoolTimeZone } = useContext(DeskContext)
  const zone = formatTimeZone(schoolTimeZone)

  return (
    <>
      <DeskTitle
        intro="What staff and operators did or opened, the newest first. It can’t be changed."
        side={<ExportForm table="audit" hiddenValues={filterFields} />}
      >
        Audit
      </DeskTitle>
      <FilterForm>
        <SelectField label="Who" name="by" defaultValue={filterFields.by}>
          <option value="">Anybody</option>
          {staff.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          label="What"
          name="act"
          placeholder="learner disable"
          defaultValue={filterFields.act}
        />
        <Field label="About (a uid or number)" name="subject" defaultValue={filterFields.subject} />
        <Field
          label={`From (${zone})`}
          name="since"
          type="date"
          defaultValue={filterFields.since}
        />
        <Field
          label={`Until (${zone})`}
          name="until"
          type="date"
          defaultValue={filterFields.until}
        />
      </FilterForm>
      <AuditTable rows={rows} empty="Nothing of this kind was done." />
      <Pager next={next} />
    </>
  )
}
