/**
 * /Desk/Site/History: the stored versions of all parts of the site, each of which an owner can
 * restore.
 */
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, Time } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import {
  loadSiteHistoryPage,
  type SiteHistoryPageData,
} from '~/features/desk/site/site-page.server'
import { restoreActions } from '~/features/desk/site/site-part-actions.server'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/site-history'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'manage site')
  return loadSiteHistoryPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage site')
  return handleDeskForm(args.request, desk, restoreActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function SiteHistoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <SiteHistoryView {...loaderData} />
    </DeskPage>
  )
}

function SiteHistoryView({ rows, next }: SiteHistoryPageData) {
  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Site', label: 'Site' }}
        intro="The last 100 versions of each part, and the last one of the payments, the newest first. Going back to one is a new change."
      >
        All changes
      </DeskTitle>
      <DataTable
        caption="Changes, the newest first"
        empty="Nothing has been changed yet."
        columns={columns}
        rows={rows}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

type VersionRow = SiteHistoryPageData['rows'][number]

const columns: Column<VersionRow>[] = [
  {
    name: 'What',
    cell: ({ label, text, cursorAt, byName }) => (
      <>
        <span className="font-medium">{label}</span>
        <span className="block text-muted [overflow-wrap:anywhere]">{text}</span>
        <span className="block text-muted text-sm md:hidden">
          <Time at={cursorAt} /> · {byName ?? 'a former account'}
        </span>
      </>
    ),
  },
  { name: 'Who', cell: ({ byName }) => byName ?? 'A former account', showFrom: 'md' },
  { name: 'When', cell: ({ cursorAt }) => <Time at={cursorAt} />, showFrom: 'md' },
  {
    name: 'Go back',
    cell: ({ part, label, version, latestVersion, isLatest, restoreIntent }) =>
      restoreIntent === null ? (
        'Not possible'
      ) : (
        <ActionForm
          intent={restoreIntent}
          buttonText={isLatest ? 'Undo' : 'Use again'}
          buttonLabel={isLatest ? `Undo: ${label}` : `Use again: ${label}, version ${version}`}
          hiddenValues={{
            part,
            version: String(isLatest ? version - 1 : version),
            seen: String(latestVersion),
          }}
        />
      ),
  },
]
