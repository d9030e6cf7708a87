import { NotFoundPage } from '~/ui/not-found-page'

export function LessonNotFound() {
  return (
    <NotFoundPage
      heading="Lesson not found"
      title="No lesson has this address"
      way={{ to: '/Profile/current-courses', text: 'Your courses' }}
    >
      It may have moved or left its course. What you did in it is kept.
    </NotFoundPage>
  )
}
