import { SearchX } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'

export function LessonNotFound() {
  return (
    <div className="column py-16">
      <h1 className="title mb-8">Lesson not found</h1>
      <EmptyState
        icon={<SearchX size={26} />}
        title="No lesson has this address"
        action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
      >
        It may have moved or left its course. What you did in it is kept.
      </EmptyState>
    </div>
  )
}
