/** What a learner of a school does from the first visit to the certificate, each step checked. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { questionOf, rightAnswer } from './exam-page.mjs'

const password = 'Correct-horse-7'
const publicPages = ['/', '/AllCourses', '/OneCourse/python-from-zero', '/Login', '/sitemap.xml', '/robots.txt']

/**
 * @param visitor of `https-visitor.mjs`. @param sql of the database, to know right answers. @param mailFolder where mail is
 *   kept.
 */
export function schoolLearner({ visitor, sql, origin, courseId, mailFolder }) {
  const { ask, jar } = visitor
  const email = `ada-${randomBytes(6).toString('hex')}@test.example`
  const account = { email, password }
  let uid = ''

  const text = async (target) => {
    const { status, body } = await ask(target, { headers: { Accept: 'text/html' } })
    assert.equal(status, 200, `${target}: ${status} ${body.toString().slice(0, 200)}`)
    return body.toString()
  }
  const send = (target, fields) =>
    ask(target, { method: 'POST', headers: { Accept: 'text/html' }, body: String(new URLSearchParams(fields)) })
  const sendJson = (target, value) =>
    ask(target, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) })
  const leads = ({ status, headers, body }, to) => {
    assert.ok(status === 302 || status === 303, `${status} ${body.toString().slice(0, 200)}`)
    const address = new URL(headers.location, origin)
    assert.equal(address.origin, origin)
    assert.ok(address.pathname.startsWith(to), `${address.pathname} instead of ${to}`)
    return address
  }
  /** One request for each process and more. */
  const checkSession = async (wanted) => {
    for (let count = 0; count < 6; count++) {
      const { user } = JSON.parse(await text('/account/session'))
      assert.equal(user?.email, wanted)
      uid = user.uid
    }
  }

  return {
    async checkLinks() {
      for (const target of publicPages) {
        const plain = (await text(target)).match(/http:\/\/(school|localhost|127\.)[^"'\s<]*/)
        assert.equal(plain, null, `${target} has ${plain?.[0]}`)
      }
    },
    async signInWithGoogle(address) {
      const start = await ask('/account/social/google?from=%2FProfile')
      const atGoogle = await fetch(start.headers.location, { redirect: 'manual' })
      const back = new URL(atGoogle.headers.get('location') ?? '')
      assert.equal(back.origin, origin)
      const callback = await ask(back.pathname + back.search)
      const end = new URL(callback.headers.location, origin)
      leads(await ask(end.pathname + end.search), '/Profile')
      await checkSession(address)
      jar.clear()
    },
    async signUp() {
      const names = { firstName: 'Ada', lastName: 'Lovelace' }
      leads(await send('/SignUp', { ...names, ...account, confirmPassword: password, terms: 'on' }), '/Profile')
      await checkSession(email)
    },
    async confirm() {
      const link = new URL(await waitForLink(mailFolder, email, /https?:\/\/\S*ConfirmEmail\S*/))
      assert.equal(link.origin, origin)
      await text(link.pathname + link.search)
      const fields = { token: link.searchParams.get('token') ?? '', intent: 'confirm' }
      leads(await send('/ConfirmEmail', fields), '/Profile')
    },
    async signOutAndIn() {
      assert.equal((await sendJson('/account/logout', {})).status, 200)
      assert.equal(JSON.parse(await text('/account/session')).user, null)
      leads(await send('/Login', account), '/Profile')
      await checkSession(email)
    },
    async finishLessons() {
      const enrolled = await send('/Enrollments', { courseIds: courseId })
      assert.ok(enrolled.status < 400, `${enrolled.status}`)
      const lessons = await sql`select id from course_lessons
        where course_id = ${courseId} and not retired and kind <> 'announced'`
      for (const { id } of lessons) {
        assert.ok((await text(`/Learn/${courseId}/${id}`)).includes(uid))
        const fields = { intent: 'mark', uid, mark: 'done', goOnTo: '' }
        const { status, body } = await send(`/Learn/${courseId}/${id}.data`, fields)
        assert.ok(status === 200 && body.includes('"done",true'), `${id}: ${status} ${body.toString().slice(0, 200)}`)
      }
      for (let count = 0; count < 2; count++) assert.match(await text('/Profile/current-courses'), /100\s*(<!-- -->)?%/)
    },
    async passExam() {
      const page = `/Exam/${courseId}`
      leads(await send(page, { intent: 'start' }), page)
      const { attemptId } = questionOf(await text(`${page}?question=1`), 1) ?? {}
      const [{ paper }] = await sql`select paper from exam_attempts where uid = ${uid} and id = ${attemptId}`
      for (const [place, drawn] of paper.entries()) {
        const answer = { attemptId, question: place + 1, value: rightAnswer(drawn), revision: 1, ageMs: 0 }
        assert.equal((await sendJson('/ExamAnswers', answer)).status, 200)
      }
      const result = leads(await send(page, { intent: 'hand-in', attempt: attemptId }), page)
      assert.match(await text(result.pathname + result.search), /You passed the exam/)
    },
    async readCertificate() {
      const [{ id }] = await sql`select id from certificates where uid = ${uid}`
      const mine = [...jar]
      jar.clear()
      assert.match(await text(`/Certificate/${id}`), /Valid\. Learnify issued this certificate\./)
      const credential = await text(`/Certificate/${id}/credential.json`)
      assert.ok(credential.includes(new URL(origin).host.replace(':', '%3A')))
      assert.ok(!credential.includes('http://school'))
      assert.match(await text(`/Certificate/${id}/certificate.pdf`), /^%PDF/)
      for (const [name, value] of mine) jar.set(name, value)
    },
  }
}

/** In the newest kept message to this address. */
async function waitForLink(folder, email, like) {
  for (let tries = 0; tries < 150; tries++) {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.name.endsWith('.eml'))
    for (const { name } of names) {
      const message = readFileSync(path.join(folder, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
      const link = message.includes(email) && like.exec(message)?.[0]
      if (link) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`No message to ${email} has such a link.`)
}
