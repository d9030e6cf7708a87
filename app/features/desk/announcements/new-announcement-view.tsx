import type { DataOf } from '../desk-pages.server'
import { ActForm, DeskTitle, Nothing } from '../desk-parts'
import { AnnouncementFields } from './announcement-fields'

export function NewAnnouncementView({ courses, chosen, seesSchool }: DataOf<'newAnnouncement'>) {
  const draft = { courseId: chosen, audience: 'all', awayDays: null, subject: '', body: '' }
  return (
    <>
      <DeskTitle
        above={{ to: '/Desk/Announcements', label: 'Announcements' }}
        intro="Nothing is sent yet. Next, you’ll see it as learners will, and how many get it."
      >
        New announcement
      </DeskTitle>
      {courses.length === 0 && !seesSchool ? (
        <Nothing>You have no courses, so there’s nobody to write to.</Nothing>
      ) : (
        <div className="card p-5">
          <ActForm act="create" button="Save and preview" look="primary">
            <AnnouncementFields draft={draft} courses={courses} seesSchool={seesSchool} />
          </ActForm>
        </div>
      )}
    </>
  )
}
