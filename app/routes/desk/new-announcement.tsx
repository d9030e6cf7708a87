/** /Desk/Announcements/New: the form of a new announcement. */
import { newAnnouncementActions } from '~/features/desk/announcements/announcement-actions.server'
import { AnnouncementFields } from '~/features/desk/announcements/announcement-fields'
import {
  loadNewAnnouncementPage,
  type NewAnnouncementPageData,
} from '~/features/desk/announcements/announcement-pages.server'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, EmptyState } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { createClientAction } from '~/ui/form/client-action'
import type { Route } from './+types/new-announcement'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'send announcements')
  return loadNewAnnouncementPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'send announcements')
  return handleDeskForm(args.request, desk, newAnnouncementActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function NewAnnouncementRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <NewAnnouncementView {...loaderData} />
    </DeskPage>
  )
}

function NewAnnouncementView({
  courses,
  chosenCourseId,
  canWriteToSchool,
}: NewAnnouncementPageData) {
  const draft = { courseId: chosenCourseId, audience: 'all', awayDays: null, subject: '', body: '' }
  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Announcements', label: 'Announcements' }}
        intro="Nothing is sent yet. Next, you’ll see it as learners will, and how many get it."
      >
        New announcement
      </DeskTitle>
      {courses.length === 0 && !canWriteToSchool ? (
        <EmptyState>You have no courses, so there’s nobody to write to.</EmptyState>
      ) : (
        <div className="card p-5">
          <ActionForm intent="create" buttonText="Save and preview" variant="primary">
            <AnnouncementFields
              draft={draft}
              courses={courses}
              canWriteToSchool={canWriteToSchool}
            />
          </ActionForm>
        </div>
      )}
    </>
  )
}
