import { SearchX } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'

export function ExamNotFound() {
  return (
    <div className="column py-16">
      <h1 className="title mb-8">Attempt not found</h1>
      <EmptyState
        icon={<SearchX size={26} />}
        title="No attempt of yours has this address"
        action={<ButtonLink to="/Profile/exam-scores">Your exam scores</ButtonLink>}
      >
        Results are only shown to the learner who took the exam.
      </EmptyState>
    </div>
  )
}
