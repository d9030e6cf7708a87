/** What the learners of the soak bench read, do in lessons and say about courses, and what of it was acknowledged. */
import { randomInt, randomUUID } from 'node:crypto'
import { pick } from './soak-client.mjs'
import { courseId, filmId } from './soak-ledger.mjs'

const words = 'python design loops layout light budget search type algoritms camera team'.split(' ')
const pages = [
  ['/', 'Learn whatever you want'],
  ['/AllCourses', 'All courses'],
  ['/AllCourses?category=design', 'All courses'],
  [`/OneCourse/${courseId}`, 'Python from Zero'],
  [`/OneCourse/${courseId}?tab=reviews`, 'Reviews'],
  ['/Instructor', 'Teach what you do'],
  ['/Terms', 'Terms and conditions'],
]
const profilePages = [
  ['/Profile', 'Welcome back'],
  ['/Profile/current-courses', 'Current Courses'],
  ['/Profile/exam-scores', 'Exam Scores'],
  ['/Profile/achievements', 'Achievements'],
  ['/Profile/personal-info', 'Personal Info'],
]
const filmMs = 129_000
const reportEveryMs = 8_000

/** @param facts of the content: `courses`, `lessons`, `reviews`. */
export function learnerActs({ client, facts, signVisit }) {
  const { ask, form, json, send, think } = client
  const see = (seat, address, says) => ask(seat, 'signed-in page', address, { says })
  const viewer = async (seat, course = courseId) =>
    JSON.parse((await ask(seat, 'viewer', `/viewer?course=${course}`, { says: seat.learner.uid })).text)
  const lessonPage = async (seat, id) =>
    (await ask(seat, 'lesson page', `/Learn/${courseId}/${id}`, { says: seat.learner.uid })).text
  const report = async (seat, lessonId, visit, part) => {
    const { learner } = seat
    const signature = signVisit(learner.uid, lessonId, visit.openedAt)
    const until = Date.now()
    const body = { uid: learner.uid, openedAt: visit.openedAt, signature, studied: [[visit.openedAt, until]], ...part }
    await json(seat, 'progress report', `/Learn/${courseId}/${lessonId}/progress`, body, { says: '"done"' })
    visit.until = until
  }
  /** Of one lesson; what is reported of it counts from now on. */
  const open = async (seat, lessonId) => {
    const text = await lessonPage(seat, lessonId)
    const visit = { openedAt: Date.now(), until: 0 }
    seat.learner.visits.push(visit)
    return { text, visit }
  }

  const acts = {
    async browse(seat) {
      const [address, says] = pick(pages)
      await ask(seat, 'public page', address, { says })
      await viewer(seat)
    },
    async search(seat) {
      const word = pick(words)
      for (const length of [2, 3, word.length]) {
        await ask(seat, 'suggestions', `/Suggestions?q=${word.slice(0, length)}`, { says: '"courses"' })
        await think([300, 900])
      }
      await ask(seat, 'public page', `/AllCourses?q=${word}`, { says: `${word} courses` })
      await viewer(seat)
    },
    async watch(seat) {
      const { visit } = await open(seat, filmId)
      const { learner } = seat
      const start = learner.filmMs
      const film = [start, start]
      learner.films.push(film)
      for (let reports = randomInt(4, 17); reports > 0 && film[1] < filmMs; reports--) {
        await think([reportEveryMs, reportEveryMs + 1])
        const end = Math.min(filmMs, start + Date.now() - visit.openedAt)
        const part = { watched: [[start, end]], position: { ms: end, at: Date.now() } }
        await report(seat, filmId, visit, part)
        film[1] = end
      }
      learner.filmMs = film[1] < filmMs ? film[1] : 0
    },
    async read(seat) {
      const lesson = pick(facts.lessons)
      const { visit } = await open(seat, lesson.id)
      await think()
      await report(seat, lesson.id, visit, { readToEnd: lesson.kind === 'article' })
      const fields = { intent: 'mark', uid: seat.learner.uid, mark: 'done', goOnTo: '' }
      await form(seat, 'lesson form', `/Learn/${courseId}/${lesson.id}`, fields)
      seat.learner.done.add(lesson.id)
    },
    async quiz(seat) {
      const { id } = pick(facts.lessons.filter(({ kind }) => kind === 'quiz'))
      const { text, visit } = await open(seat, id)
      const questions = [...new Set(text.match(/\b[0-9a-f]{12}\b/g))]
      for (let count = 1; count <= questions.length; count++) {
        await think()
        const answered = questions.slice(0, count)
        await report(seat, id, visit, { answered, missed: answered.filter((_, place) => place % 2 === 0) })
        for (const question of answered) seat.learner.answered.add(`${id} ${question}`)
      }
    },
    async practice(seat) {
      const { text } = await see(seat, '/Practice', 'Practice')
      const hidden = (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
      if (!hidden('questionId')) return
      await think()
      const fields = { answer: '0', intent: 'give-up' }
      for (const name of ['courseId', 'questionId', 'turn', 'uid', 'type']) fields[name] = hidden(name)
      await form(seat, 'practice', '/Practice', fields)
      seat.learner.practiced.add(hidden('questionId'))
    },
    async note(seat) {
      const { notes, uid } = seat.learner
      await lessonPage(seat, filmId)
      await think()
      const [old] = notes.keys()
      if (old && notes.size > 5) {
        await form(seat, 'note', `/Learn/${courseId}/${filmId}`, { intent: 'delete-note', uid, id: old })
        notes.delete(old)
      }
      const [id, body] = [randomUUID(), `A name is a **label** (${randomInt(1e6)}).`]
      const fields = { intent: 'note', uid, id, positionMs: '1000', body }
      for (let times = randomInt(1, 3); times > 0; times--) {
        await form(seat, 'note', `/Learn/${courseId}/${filmId}`, fields)
        notes.set(id, body)
      }
    },
    async profile(seat) {
      await see(seat, ...pick(profilePages))
      await send(seat, 'celebration', '/Moments', new URLSearchParams(), { says: '' })
    },
    async enroll(seat) {
      const course = pick(facts.courses)
      await ask(seat, 'public page', `/OneCourse/${course}`, { says: 'Enroll' })
      await think()
      await form(seat, 'enrollment', '/Enrollments', { courseIds: course })
      seat.learner.enrolled.add(course)
    },
    async wish(seat) {
      const [course, wished] = [pick(facts.courses), randomInt(3) > 0]
      await form(seat, 'wish', '/Wishes', { courseId: course, wished: wished ? 'yes' : 'no' })
      if (wished) seat.learner.wishes.add(course)
      else seat.learner.wishes.delete(course)
    },
    async review(seat) {
      const { standing } = (await viewer(seat)).reviews
      if (standing !== 'may-review') return
      const [rating, comment] = [String(randomInt(1, 6)), `Clear and calm ${randomInt(1e6)}`]
      await form(seat, 'review', '/Reviews', { intent: 'save', course: courseId, rating, comment, showsName: 'on' })
      seat.learner.review = `${rating} ${comment}`
      const { review } = (await viewer(seat)).reviews
      if (review?.comment !== comment) throw new Error(`The review is ${JSON.stringify(review)}.`)
      await ask(seat, 'public page', `/OneCourse/${courseId}?tab=reviews`, { says: 'Reviews' })
    },
    async vote(seat) {
      const [{ course_id: course, id: review }, intent] = [pick(facts.reviews), pick(['vote', 'vote', 'unvote'])]
      if (!seat.learner.enrolled.has(course)) return
      await ask(seat, 'public page', `/OneCourse/${course}?tab=reviews`, { says: review })
      await form(seat, 'vote', '/Reviews', { intent, course, review })
      if (intent === 'vote') seat.learner.votes.add(`${course} ${review}`)
      else seat.learner.votes.delete(`${course} ${review}`)
    },
  }
  return { acts, viewer }
}
