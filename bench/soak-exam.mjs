/** A learner of the soak bench takes an exam, and shows the certificate. */
import { randomInt } from 'node:crypto'
import { questionOf, randomAnswer, rightAnswer } from './exam-page.mjs'
import { pick } from './soak-client.mjs'
import { courseId } from './soak-ledger.mjs'

/** @param readPaper what the database has drawn for an attempt: who has learned knows most answers. */
export function examActs({ client, viewer, readPaper }) {
  const { ask, json, send, think } = client

  async function answer(seat, attempt, number, drawn) {
    const given = attempt.answers.get(number) ?? { revision: 0, value: '' }
    const place = { type: drawn.question.type, options: drawn.order.length }
    const value = randomInt(10) < 8 ? rightAnswer(drawn) : randomAnswer(place)
    const revision = given.revision + 1
    const body = { attemptId: attempt.id, question: number, value, revision, ageMs: 0 }
    for (let times = randomInt(10) === 0 ? 2 : 1; times > 0; times--) {
      await json(seat, 'exam answer', '/ExamAnswers', body, { says: 'saved' })
      attempt.answers.set(number, { revision, value: JSON.stringify(value) })
    }
  }

  return {
    /** One attempt of each course: for the next one an exam asks to wait. */
    async exam(seat) {
      const { learner } = seat
      const courses = [...learner.enrolled].filter((course) => !learner.exams.has(course))
      if (courses.length === 0) return
      const course = pick(courses)
      const page = `/Exam/${course}`
      const form = (fields) => send(seat, 'exam form', page, new URLSearchParams(fields), { status: 302, says: '' })
      await ask(seat, 'exam page', page, { says: 'Start' })
      await form({ intent: 'start' })
      const { text } = await ask(seat, 'exam page', `${page}?question=1`, { says: 'Question', always: true })
      const first = questionOf(text, 1)
      if (!first?.attemptId) throw new Error('An exam shows no question.')
      const attempt = { id: first.attemptId, answers: new Map(), handedIn: false }
      learner.exams.set(course, attempt)
      const paper = await readPaper(learner.uid, attempt.id)
      for (const [place, drawn] of paper.entries()) {
        await think()
        await answer(seat, attempt, place + 1, drawn)
      }
      await answer(seat, attempt, 1, paper[0])
      const { location } = await form({ intent: 'hand-in', attempt: attempt.id })
      attempt.handedIn = true
      if (!location.endsWith(attempt.id)) throw new Error(`A hand-in leads to ${location}.`)
      await ask(seat, 'exam page', location, { says: 'Result' })
    },
    async certificate(seat) {
      const { certificateId: id } = (await viewer(seat, courseId)).standing ?? {}
      if (!id) return
      seat.learner.certificate = id
      await ask(seat, 'certificate', `/Certificate/${id}`, { says: 'Python from Zero' })
      await think()
      await ask(seat, 'certificate PDF', `/Certificate/${id}/certificate.pdf`, { says: '%PDF' })
      await ask(seat, 'certificate picture', `/Certificate/${id}/picture.png`, { says: 'PNG' })
      await ask(seat, 'credential', `/Certificate/${id}/credential.json`, { says: 'proof' })
    },
  }
}
