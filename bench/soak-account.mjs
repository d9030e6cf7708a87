/** What learners of the soak bench do with their accounts. */
import { randomInt, randomUUID } from 'node:crypto'
import { courseId, newLearner, password } from './soak-ledger.mjs'

/**
 * @param ledger grows with everyone who signs up.
 * @param confirm does what the link of a mail would do.
 * @param photo PNG.
 */
export function accountActs({ client, viewer, ledger, confirm, photo }) {
  const { ask, form, json, send, think } = client
  const acts = {
    async settings(seat) {
      await ask(seat, 'signed-in page', '/Profile/settings', { says: 'Settings' })
      await think()
      const location = `Town ${randomInt(1e6)}`
      const body = new FormData()
      for (const [name, value] of Object.entries({ firstName: 'Bench', lastName: 'Learner', phone: '', location }))
        body.set(name, value)
      const withPhoto = seat.learner.photos < 8 && randomInt(3) === 0
      if (withPhoto) body.set('photo', new File([photo], 'photo.png'))
      const says = 'Settings saved successfully!'
      await send(seat, withPhoto ? 'photo' : 'settings', '/Profile/settings.data', body, { says })
      seat.learner.location = location
      if (withPhoto) seat.learner.photos += 1
    },
    async archive(seat) {
      if (seat.learner.archives++ >= 4) return
      await ask(seat, 'archive', '/OwnData', { says: 'PK' })
    },
    async signOutAndIn(seat) {
      await json(seat, 'sign-out', '/account/logout', {}, { says: 'true' })
      await ask(seat, 'viewer', '/viewer', { says: 'null' })
      await think()
      const { email } = seat.learner
      if (!email || randomInt(3) === 0) return acts.signUp(seat)
      await json(seat, 'sign-in', '/account/login', { email, password }, { says: 'true' })
      await viewer(seat)
    },
    /** Somebody else sits down. */
    async signUp(seat) {
      seat.cookies.clear()
      const email = `soak-${randomUUID()}@bench.example`
      const account = { email, password, firstName: 'New', lastName: 'Learner' }
      await ask(seat, 'public page', '/SignUp', { says: 'Create' })
      await json(seat, 'sign-up', '/account/register', account, { says: 'true' })
      const { text } = await ask(seat, 'viewer', '/viewer', { says: email })
      seat.learner = newLearner({ uid: JSON.parse(text).user.uid, email })
      ledger.push(seat.learner)
      await confirm(seat.learner.uid)
      await form(seat, 'enrollment', '/Enrollments', { courseIds: courseId })
      seat.learner.enrolled.add(courseId)
    },
  }
  return acts
}
