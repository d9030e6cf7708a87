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

/** This expression is evaluated in the page. */
const currentPath = 'location.pathname'

test('a visitor finds a course in Firefox, signs up, learns it, passes its exam and gets the certificate', async ({
  baseURL,
}) => {
  // The journey takes long, because it goes through a whole course.
  test.slow()
  await firefox.open(`${baseURL}/AllCourses`)
  await firefox.click('main input[name=q]')
  await firefox.type('python zero\uE007')
  await firefox.waitFor(
    `document.querySelector('main article h2 a').textContent === 'Python from Zero'`,
  )
  await firefox.click('main article h2 a')
  await firefox.waitFor(`${currentPath} === '/OneCourse/python-from-zero'`)

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
  await firefox.waitFor(`${currentPath} !== '/SignUp'`)
  await confirmEmail(email)

  await firefox.open(`${baseURL}/OneCourse/${shortCourseId}`)
  await firefox.click('form[action="/Enrollments"] button')
  await firefox.waitFor(
    `/This course is in your account/.test(document.querySelector('main').textContent)`,
  )
  await watchVideo(`${baseURL}/Learn/${shortCourseId}/why-a-knot-holds`)
  await firefox.open(`${baseURL}/Learn/${shortCourseId}/two-ends-of-a-string`)
  await firefox.click('article form button[type=submit]')
  await firefox.waitFor(`${currentPath}.endsWith('/check-friction')`)
  for (const question of [1, 2]) {
    await firefox.click(`main ol[aria-label=Questions] > li:nth-of-type(${question}) button`)
    const form = `main ol > li:nth-of-type(${question}) form`
    await firefox.click(`${form} input`)
    await firefox.click(`${form} button[type=submit]`)
    await firefox.waitFor(
      `/Correct\\.|Not quite\\./.test(document.querySelector('${form}').textContent)`,
    )
  }

  await waitForSavedLesson()
  await watchVideo(`${baseURL}/Learn/${shortCourseId}/tying-a-square-knot`)
  await passExam(`${baseURL}/Exam/${shortCourseId}`)
  await firefox.click('main a[href^="/Certificate/"]')
  await firefox.waitFor(
    `/completed 4 lessons and passed/.test(document.querySelector('main').textContent)`,
  )

  expect(firefox.consoleErrors).toEqual([])
})

/** Waits until the open lesson is done and the server has saved that. */
async function waitForSavedLesson() {
  await firefox.waitFor(
    `/done/.test(document.querySelector('aside a[aria-current=page]').textContent)`,
  )
  await firefox.waitFor(`document.querySelector('[data-status]').dataset.status === 'saved'`)
}

async function watchVideo(url: string) {
  await firefox.open(url)
  await firefox.waitFor(`document.querySelector('video')?.readyState > 0`)
  await firefox.click('main button[aria-label=Play]')
  await firefox.waitFor(`document.querySelector('video').ended`)
  await waitForSavedLesson()
}

/** The answers to questions of the exam that ask for words. */
const answersByPrompt: Record<string, string> = {
  'Which end moves?': 'working end',
  'Which end stays?': 'standing end',
}

async function passExam(url: string) {
  await firefox.open(url)
  await firefox.click('main form button[type=submit]')
  for (let number = 1; number <= 8; number++) {
    await firefox.waitFor(
      `document.querySelector('main h2')?.textContent.startsWith('Question ${number} of')`,
    )
    const prompt = await firefox.evaluate<string>(
      `document.querySelector('main legend').textContent`,
    )
    if (prompt === 'What holds?') {
      const value = await readOptionValue('Friction')
      await firefox.click(`main label:nth-of-type(1) input[value="${value}"]`)
    } else {
      // All other questions ask for the sum of a number and itself.
      const sum = Number(/What is (\d+)/.exec(prompt)?.[1]) * 2
      await firefox.click('main input[type=text]')
      await firefox.type(answersByPrompt[prompt] ?? String(sum))
    }

    await firefox.click('main fieldset + div button:last-child')
  }

  await firefox.waitFor(
    `/answered every question/.test(document.querySelector('main').textContent)`,
  )
  await firefox.click('main form button[type=submit]')
  await firefox.waitFor(`/You passed the exam/.test(document.querySelector('main').textContent)`)
}

/** Returns the form value of an option. The order of the options is random. */
const readOptionValue = (option: string) =>
  firefox.evaluate<string>(
    `[...document.querySelectorAll('main label')].find((label) => label.textContent === '${option}').control.value`,
  )
