import { NotFoundPage } from '~/ui/not-found-page'

export function ExamNotFound() {
  return (
    <NotFoundPage
      heading="Attempt not found"
      title="No attempt of yours has this address"
      way={{ to: '/Profile/exam-scores', text: 'Your exam scores' }}
    >
      Results are only shown to the learner who took the exam.
    </NotFoundPage>
  )
}
