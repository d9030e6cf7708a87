import { expect, it } from 'vitest'
import { outbox } from '~/outbox/outbox'
import { clientAction } from '~/routes/learning/practice'
import { failedResult } from '~/ui/form/form-result'
import { postponePracticeAnswer, practiceAnswers } from './postponed-answers'

const form = new FormData()
for (const [name, value] of Object.entries({
  uid: 'ada',
  courseId: 'course',
  questionId: 'question',
  turn: '1',
  answer: '0',
})) {
  form.set(name, value)
}

/** Submits the form of the practice page to a server that responds with a result. */
function submitForm(result: unknown) {
  const request = new Request('http://localhost/Practice', { method: 'POST', body: form })
  const args = { request, serverAction: async () => result }
  return clientAction(args as Parameters<typeof clientAction>[0])
}

it('a postponed answer waits until the server has an answer to its turn', async () => {
  await postponePracticeAnswer(form)
  const otherLearnerResult = failedResult('Another learner has signed in.')

  expect(await submitForm(otherLearnerResult)).toBe(otherLearnerResult)
  expect(await outbox.list(practiceAnswers)).toHaveLength(1)

  await submitForm({ done: true, feedback: { isCorrect: true } })

  expect(await outbox.list(practiceAnswers)).toEqual([])
})
