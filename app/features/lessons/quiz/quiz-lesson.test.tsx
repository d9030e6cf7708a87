import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { PageLearner } from '../lesson-form'
import { changeRun, QuizLesson } from './quiz-lesson'

const question = {
  id: 'aaaaaaaaaaaa',
  question: 'What does a name hold?',
  explanation: 'A value.',
  options: [
    { text: 'A value', correct: true },
    { text: 'A box', correct: false },
  ],
}

/** The quiz as it is opened, for the first time or again. */
const opened = (uid: string, lessonId = 'quiz') =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PageLearner value={uid}>
        <QuizLesson
          courseId="python"
          lessonId={lessonId}
          questions={[question]}
          lessons={[]}
          answered={[question.id]}
          done
          onAnswer={() => {}}
          onMissed={() => {}}
        />
      </PageLearner>
    </MemoryRouter>,
  )

it('a quiz that was left to read an explanation still has the first try and the score', () => {
  expect(opened('ada')).toContain('Show answer')
  changeRun('ada/python/quiz', question.id, (run) => ({ ...run, tries: [...run.tries, false] }))
  expect(opened('ada')).toContain('You have one more try.')
  expect(opened('ada')).not.toContain('Show answer')
  changeRun('ada/python/quiz', question.id, (run) => ({ ...run, tries: [...run.tries, true] }))
  expect(opened('ada')).toContain('Your score: 1 of 1 correct, 1 on the second try')
})

it('the tries belong to one learner and one quiz', () => {
  changeRun('ada/python/quiz', question.id, (run) => ({ ...run, tries: [false] }))
  expect(opened('grace')).not.toContain('Your score')
  expect(opened('ada', 'other-quiz')).not.toContain('Your score')
})
