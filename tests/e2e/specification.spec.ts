import { expect, test } from '../support/browser'
import { signInAsDemo } from '../support/sign-in'

test('a visitor may see every page except the profile, and a learner may see the profile, too', async ({
  page,
}) => {
  const publicPages = ['/', '/AllCourses', '/Login', '/SignUp', '/OneCourse', '/Instructor']
  const readStatus = async (path: string) =>
    (await page.request.get(path, { maxRedirects: 0 })).status()

  for (const path of publicPages) {
    expect(await readStatus(path), path).toBe(200)
  }

  const profile = await page.request.get('/Profile', { maxRedirects: 0 })
  expect(profile.status()).toBe(302)
  expect(profile.headers().location).toBe('/Login')

  await signInAsDemo(page)
  for (const path of [...publicPages, '/Profile']) {
    expect(await readStatus(path), path).toBe(200)
  }
})
