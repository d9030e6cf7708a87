import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateAfterRefusal } from '~/features/desk/desk-page'
import { ActionForm, DeskTitle, Time } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { restoreActions } from '~/features/desk/site/site-actions.server'
import {
  loadSiteHistoryPage,
  type SiteHistoryPageData,
} from '~/features/desk/site/site-page.server'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/site-history'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'run the site')
  return loadSiteHistoryPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'run the site')
  return handleDeskForm(args.request, desk, restoreActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateAfterRefusal

export default function SiteHistoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <SiteHistoryView {...loaderData} />
    </DeskPage>
  )
}

type History = SiteHistoryPageData

type Row = History['rows'][number]

function SiteHistoryView({ rows, next }: History) {
  return (
    <>
      <DeskTitle
        above={{ to: '/Desk/Site', label: 'Site' }}
        intro="The last 100 versions of each part, the newest first. Going back to one is a new change."
      >
        All changes
      </DeskTitle>
      <DataTable
        caption="Changes, the newest first"
        empty="Nothing has been changed yet."
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

const columns: Column<Row>[] = [
  {
    name: 'What',
    of: ({ label, text, cursorAt, byName }) => (
      <>
        <span className="font-medium">{label}</span>
        <span className="block text-muted [overflow-wrap:anywhere]">{text}</span>
        <span className="block text-muted text-sm md:hidden">
          <Time at={cursorAt} /> · {byName ?? 'a former account'}
        </span>
      </>
    ),
  },
  { name: 'Who', of: ({ byName }) => byName ?? 'A former account', from: 'md' },
  { name: 'When', of: ({ cursorAt }) => <Time at={cursorAt} />, from: 'md' },
  {
    name: 'Go back',
    of: ({ part, label, version, seen, isLast, restore }) => (
      <ActionForm
        act={restore}
        button={isLast ? 'Undo' : 'Use again'}
        label={isLast ? `Undo: ${label}` : `Use again: ${label}, version ${version}`}
        values={{ part, version: String(isLast ? version - 1 : version), seen: String(seen) }}
      />
    ),
  },
]
