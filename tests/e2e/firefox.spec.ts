import { expect, test } from '../support/browser'
import { FirefoxWindow, firefoxPath } from '../support/firefox'
import { shortCourse } from '../support/lesson-journey'

test.skip(firefoxPath === null, 'Firefox is not installed: apt-get install firefox-esr')

let firefox: FirefoxWindow
test.beforeEach(async () => {
  firefox = await FirefoxWindow.open()
})
test.afterEach(() => firefox.close())

const path = 'location.pathname'

test('a visitor finds a course in Firefox, signs up from it and learns its first lesson', async ({ baseURL }) => {
  await firefox.open(`${baseURL}/AllCourses`)
  await firefox.click('main input[name=q]')
  await firefox.type('python zero\uE007')
  await firefox.until(`document.querySelector('main article h2 a').textContent === 'Python from Zero'`)
  await firefox.click('main article h2 a')
  await firefox.until(`${path} === '/OneCourse/python-from-zero'`)

  await firefox.open(`${baseURL}/SignUp`)
  for (const [name, text] of [
    ['firstName', 'Grace'],
    ['lastName', 'Hopper'],
    ['email', `firefox-${Date.now()}@test.example`],
    ['password', 'Correct-horse-7'],
    ['confirmPassword', 'Correct-horse-7'],
  ]) {
    await firefox.click(`form input[name=${name}]`)
    await firefox.type(text ?? '')
  }
  await firefox.click('form input[type=checkbox]')
  await firefox.click('form button[type=submit]')
  await firefox.until(`${path} !== '/SignUp'`)

  await firefox.open(`${baseURL}/OneCourse/${shortCourse}`)
  await firefox.click('form[action="/Enrollments"] button')
  await firefox.until(`/This course is in your account/.test(document.querySelector('main').textContent)`)
  await firefox.open(`${baseURL}/Learn/${shortCourse}`)
  await firefox.until(`document.querySelector('video')?.readyState > 0`)
  await firefox.click('main button[aria-label=Play]')
  await firefox.until(`document.querySelector('video').ended`)
  await firefox.until(`document.querySelector('[data-status]').dataset.status === 'saved'`)
  expect(firefox.problems).toEqual([])
})
