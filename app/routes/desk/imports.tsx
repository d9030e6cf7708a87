/**
 * /Desk/People/Import: the imports of the last weeks, with the form that uploads a table of people.
 */
import { useContext } from 'react'
import { Link } from 'react-router'
import { separatorCharacters } from '~/features/desk/csv-separators'
import { DeskContext } from '~/features/desk/desk-context'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { importsActions } from '~/features/desk/import/import-actions.server'
import { ImportBadge } from '~/features/desk/import/import-badge'
import { type ImportsPageData, loadImportsPage } from '~/features/desk/import/import-pages.server'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Field } from '~/ui/form/field'
import { byCount, formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/imports'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'change people')
  return loadImportsPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'change people')
  return handleDeskForm(args.request, desk, importsActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function ImportsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <ImportsView {...loaderData} />
    </DeskPage>
  )
}

function ImportsView({ rows, next, templateRows, ...page }: ImportsPageData) {
  const { csvSeparator } = useContext(DeskContext)
  const separator = separatorCharacters[csvSeparator]
  const templateCsv = templateRows.map((row) => row.join(separator)).join('\r\n')

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/People', label: 'People' }}
        intro="Creates accounts and enrolls people in courses. People who already have an account are only enrolled. The file is checked first, and nothing changes until you say so."
      >
        Import people
      </DeskTitle>
      <div className="card p-5">
        <ActionForm
          intent="upload"
          buttonText="Check the file"
          variant="primary"
          encType="multipart/form-data"
        >
          <Field
            label="Table of people"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            required
            hint={
              <>
                CSV with the columns email, first_name, last_name and courses (IDs, separated by
                spaces), as Excel, Google Classroom or Moodle write it; up to 12 MB and 200,000
                lines. If the columns have other names, you choose what they contain.{' '}
                <a
                  className="link"
                  download="people.csv"
                  href={`data:text/csv;charset=utf-8,${encodeURIComponent(templateCsv)}`}
                >
                  Download a template
                </a>
              </>
            }
          />
          <Field
            label="Invitations a minute"
            name="pace"
            type="number"
            min={1}
            max={page.maxInvitationsPerMinute}
            required
            defaultValue={page.defaultInvitationsPerMinute}
            hint="Each new account gets an email with a link to choose a password. Your mail provider’s documentation says how many it accepts."
            className="sm:max-w-sm"
          />
        </ActionForm>
      </div>
      <Section title="The last 30 days">
        <DataTable
          caption="Imports, the newest first"
          empty="Nothing has been imported yet."
          columns={columns}
          rows={rows}
          getRowKey={({ id }) => id}
        />
        <Pager next={next} />
      </Section>
    </>
  )
}

type ImportRow = ImportsPageData['rows'][number]

const columns: Column<ImportRow>[] = [
  {
    name: 'File',
    cell: ({ id, fileName, byName, createdAt }) => (
      <>
        <Link to={`/Desk/People/Import/${id}`} className="link">
          <bdi>{fileName}</bdi>
        </Link>
        <span className="block text-muted text-sm">
          <Time at={createdAt} />
          {byName && ` by ${byName}`}
        </span>
      </>
    ),
  },
  { name: 'State', cell: ({ status }) => <ImportBadge status={status} /> },
  {
    name: 'Imported',
    cell: ({ importedLines }) => formatNumber(importedLines),
    isNumber: true,
    showFrom: 'sm',
  },
  {
    name: 'Problems',
    cell: ({ faultyLines }) => byCount(faultyLines, '1 line', `${formatNumber(faultyLines)} lines`),
    isNumber: true,
    showFrom: 'md',
  },
]
