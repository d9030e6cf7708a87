import { createEmail } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { FirefoxWindow, firefoxPath } from '../support/firefox'
import { shortCourseId } from '../support/lesson-journey'
import { confirmEmail } from '../support/sign-in'

test.skip(firefoxPath === null, 'Firefox is not installed: apt-get install firefox-esr')

let firefox: FirefoxWindow
test.beforeEach(async () => {
  firefox = await FirefoxWindow.open()
})
test.afterEach(() => firefox.close())

const path = 'location.pathname'

test('a visitor finds a course in Firefox, signs up, learns it, passes its exam and gets the certificate', async ({
  baseURL,
}) => {
  // A visitor's whole way, in a browser of its own.
  test.slow()
  await firefox.open(`${baseURL}/AllCourses`)
  await firefox.click('main input[name=q]')
  await firefox.type('python zero\uE007')
  await firefox.waitFor(
    `document.querySelector('main article h2 a').textContent === 'Python from Zero'`,
  )
  await firefox.click('main article h2 a')
  await firefox.waitFor(`${path} === '/OneCourse/python-from-zero'`)

  await firefox.open(`${baseURL}/SignUp`)
  const email = createEmail()
  for (const [name, text] of [
    ['firstName', 'Grace'],
    ['lastName', 'Hopper'],
    ['email', email],
    ['password', 'Correct-horse-7'],
    ['confirmPassword', 'Correct-horse-7'],
  ]) {
    await firefox.click(`form input[name=${name}]`)
    await firefox.type(text ?? '')
  }

  await firefox.click('form input[type=checkbox]')
  await firefox.click('form button[type=submit]')
  await firefox.waitFor(`${path} !== '/SignUp'`)
  await confirmEmail(email)

  await firefox.open(`${baseURL}/OneCourse/${shortCourseId}`)
  await firefox.click('form[action="/Enrollments"] button')
  await firefox.waitFor(
    `/This course is in your account/.test(document.querySelector('main').textContent)`,
  )
  await watchFilm(`${baseURL}/Learn/${shortCourseId}/why-a-knot-holds`)
  await firefox.open(`${baseURL}/Learn/${shortCourseId}/two-ends-of-a-string`)
  await firefox.click('article form button[type=submit]')
  await firefox.waitFor(`${path}.endsWith('/check-friction')`)
  for (const question of [1, 2]) {
    await firefox.click(`main ol[aria-label=Questions] > li:nth-of-type(${question}) button`)
    const form = `main ol > li:nth-of-type(${question}) form`
    await firefox.click(`${form} input`)
    await firefox.click(`${form} button[type=submit]`)
    await firefox.waitFor(
      `/Correct\\.|Not quite\\./.test(document.querySelector('${form}').textContent)`,
    )
  }

  await saved()
  await watchFilm(`${baseURL}/Learn/${shortCourseId}/tying-a-square-knot`)
  await passExam(`${baseURL}/Exam/${shortCourseId}`)
  await firefox.click('main a[href^="/Certificate/"]')
  await firefox.waitFor(
    `/completed 4 lessons and passed/.test(document.querySelector('main').textContent)`,
  )

  expect(firefox.consoleErrors).toEqual([])
})

/** The open lesson is done, and the server knows. */
async function saved() {
  await firefox.waitFor(
    `/done/.test(document.querySelector('aside a[aria-current=page]').textContent)`,
  )
  await firefox.waitFor(`document.querySelector('[data-status]').dataset.status === 'saved'`)
}

async function watchFilm(address: string) {
  await firefox.open(address)
  await firefox.waitFor(`document.querySelector('video')?.readyState > 0`)
  await firefox.click('main button[aria-label=Play]')
  await firefox.waitFor(`document.querySelector('video').ended`)
  await saved()
}

const words: Record<string, string> = {
  'Which end moves?': 'working end',
  'Which end stays?': 'standing end',
}

async function passExam(address: string) {
  await firefox.open(address)
  await firefox.click('main form button[type=submit]')
  for (let number = 1; number <= 8; number++) {
    await firefox.waitFor(
      `document.querySelector('main h2')?.textContent.startsWith('Question ${number} of')`,
    )
    const prompt = await firefox.evaluate<string>(
      `document.querySelector('main legend').textContent`,
    )
    const sum = Number(/What is (\d+)/.exec(prompt)?.[1]) * 2
    if (prompt === 'What holds?') {
      await firefox.click(`main label:nth-of-type(1) input[value="${await placeOf('Friction')}"]`)
    } else {
      await firefox.click('main input[type=text]')
      await firefox.type(words[prompt] ?? String(sum))
    }

    await firefox.click('main fieldset + div button:last-child')
  }

  await firefox.waitFor(
    `/answered every question/.test(document.querySelector('main').textContent)`,
  )
  await firefox.click('main form button[type=submit]')
  await firefox.waitFor(`/You passed the exam/.test(document.querySelector('main').textContent)`)
}

/** Of a choice among the options, whose order is drawn. */
const placeOf = (option: string) =>
  firefox.evaluate<string>(
    `[...document.querySelectorAll('main label')].find((label) => label.textContent === '${option}').control.value`,
  )
