/**
 * /Desk/People/Import/:import: one import of a table of people, from the check of the file to the
 * last imported line.
 */
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, Section } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { ColumnsForm } from '~/features/desk/import/columns-form'
import { importActions } from '~/features/desk/import/import-actions.server'
import { ImportBadge } from '~/features/desk/import/import-badge'
import { ImportDetails, ImportProgress } from '~/features/desk/import/import-details'
import { ImportLines } from '~/features/desk/import/import-lines'
import { type ImportPageData, loadImportPage } from '~/features/desk/import/import-pages.server'
import { useReloadWhile } from '~/features/desk/use-reload-while'
import { createClientAction } from '~/ui/form/client-action'
import { byCount, formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import type { Route } from './+types/import'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'change people')
  return requirePageData(await loadImportPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'change people')
  return handleDeskForm(args.request, desk, importActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function ImportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <ImportView {...loaderData} />
    </DeskPage>
  )
}

function ImportView(page: ImportPageData) {
  const { displayedImport, lastInvitationAt } = page
  const { status, fileName } = displayedImport
  const isInProgress = status === 'checking' || status === 'running'
  useReloadWhile(isInProgress)

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/People/Import', label: 'Import people' }}
        intro={<ImportBadge status={status} />}
      >
        <bdi>{fileName}</bdi>
      </DeskTitle>
      {displayedImport.refusal && (
        <Notice variant="bad" silent>
          <span className="whitespace-pre-line">{displayedImport.refusal}</span>
        </Notice>
      )}
      {isInProgress && <ImportProgress displayedImport={displayedImport} />}
      {status === 'unclear' && displayedImport.columns && (
        <ColumnsForm columns={displayedImport.columns} />
      )}
      {status !== 'checking' && status !== 'unclear' && status !== 'refused' && (
        <ImportDetails displayedImport={displayedImport} lastInvitationAt={lastInvitationAt} />
      )}
      <ImportButtons displayedImport={displayedImport} />
      {(status === 'checked' || status === 'stopped' || status === 'done') && (
        <Section title="Lines">
          <ImportLines {...page} />
        </Section>
      )}
    </>
  )
}

/** Shows a button for each action that the import allows now. */
function ImportButtons({ displayedImport }: Pick<ImportPageData, 'displayedImport'>) {
  const { status, changingLines } = displayedImport

  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {status === 'checked' && changingLines > 0 && (
        <ActionForm
          intent="start"
          hiddenValues={{ seen: status }}
          variant="primary"
          buttonText={byCount(
            changingLines,
            'Import 1 line',
            `Import ${formatNumber(changingLines)} lines`,
          )}
        />
      )}
      {status === 'stopped' && (
        <ActionForm
          intent="start"
          hiddenValues={{ seen: status }}
          variant="primary"
          buttonText="Go on"
        />
      )}
      {status === 'running' && (
        <ActionForm intent="stop" hiddenValues={{ seen: status }} buttonText="Stop" />
      )}
      {status !== 'running' && (
        <ActionForm intent="discard" hiddenValues={{ seen: status }} buttonText="Remove the file" />
      )}
    </div>
  )
}
