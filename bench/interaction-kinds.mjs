/**
 * What visitors and learners press and type for `interaction.mjs`, on the screens where they do. Each visit starts on a page
 * that has just been loaded.
 *
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {{ what: string, address: string, phone?: boolean, learner?: boolean, act: (page: Page) => Promise<unknown> }} Kind
 */

/** As a quick typist. */
const letterMs = 120
/** Long enough for the browser to paint the press before the release. */
const pressMs = 60

/** Of the demo learner, with its exam running. */
export const learnersCourse = 'data-structures-and-algorithms'
const lesson = `/Learn/${learnersCourse}`

/** @type {Kind[]} */
export const kinds = [
  { what: 'search of the catalog', address: '/AllCourses', phone: true, act: searchCatalogue },
  { what: 'suggestions', address: '/', act: (page) => type(page, page.getByLabel('Search Learnify'), 'python') },
  { what: 'category and level', address: '/AllCourses', act: chooseCategories },
  { what: 'filters', address: '/AllCourses', phone: true, act: chooseFilters },
  { what: 'menu and theme', address: '/', phone: true, act: openMenu },
  { what: 'tabs of a course', address: '/OneCourse', phone: true, act: readTabs },
  { what: 'testimonials', address: '/', phone: true, act: turnTestimonials },
  { what: 'form of an account', address: '/SignUp', phone: true, act: fillSignUp },
  { what: 'controls of a film', address: `${lesson}/inside-a-hash-table`, learner: true, act: controlFilm },
  { what: 'transcript and notes', address: `${lesson}/inside-a-hash-table`, learner: true, act: writeNote },
  {
    what: 'lessons of a course',
    address: `${lesson}/inside-a-hash-table`,
    phone: true,
    learner: true,
    act: openLessons,
  },
  { what: 'quiz', address: `${lesson}/check-growth-and-search`, phone: true, learner: true, act: answerQuiz },
  { what: 'exam', address: `/Exam/${learnersCourse}?question=1`, phone: true, learner: true, act: answerExam },
  { what: 'profile', address: '/Profile', learner: true, act: readProfile },
]

/** Until what was set off is painted, and told of. */
export async function settle(page) {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))))
}

/** Presses as a hand does: Playwright's own click checks the target during the press, and that would count. */
async function click(page, target) {
  await target.click({ trial: true })
  const { x, y, width, height } = await target.boundingBox()
  const [left, top] = [x + width / 2, y + height / 2]
  if (!(await target.evaluate(isHitAt, [left, top])))
    throw new Error(`Something else is where ${target} should be pressed.`)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  await page.mouse.click(left, top, { delay: pressMs })
}

/** In the page. */
function isHitAt(element, [left, top]) {
  const hit = document.elementFromPoint(left, top)
  return [element, ...(element.labels ?? [])].some((part) => part.contains(hit))
}

async function press(page, target) {
  await click(page, target)
  await settle(page)
}

async function type(page, field, text) {
  await click(page, field)
  await field.pressSequentially(text, { delay: letterMs })
  await settle(page)
  for (let letter = 0; letter < text.length; letter++) await page.keyboard.press('Backspace', { delay: letterMs })
}

function searchCatalogue(page) {
  return type(page, page.getByLabel('Search courses'), 'python data')
}

async function chooseCategories(page) {
  for (const label of ['Category', 'Level']) {
    await page.getByLabel(label, { exact: true }).focus()
    for (let turn = 0; turn < 3; turn++) {
      await page.keyboard.press('ArrowDown')
      await settle(page)
    }
  }
}

async function chooseFilters(page) {
  await click(page, page.getByRole('button', { name: 'Filters', exact: true }))
  const boxes = page.getByRole('dialog', { name: 'Filters' }).getByRole('checkbox', { disabled: false })
  for (const place of [0, 1, 2]) await press(page, boxes.nth(place))
  await click(page, page.getByRole('button', { name: /^Show \d/ }))
}

async function openMenu(page) {
  for (let turn = 0; turn < 4; turn++) await click(page, page.getByRole('button', { name: 'Menu', exact: true }))
  for (let turn = 0; turn < 4; turn++)
    await click(page, page.getByRole('button', { name: 'Switch between light and dark' }))
}

async function readTabs(page) {
  for (const name of ['Curriculum', 'Instructor', 'Reviews', 'Overview'])
    await press(page, page.getByRole('tab', { name }))
  await click(page, page.getByRole('tab', { name: 'Curriculum' }))
  await click(page, page.getByRole('button', { name: 'Expand all sections' }))
}

async function turnTestimonials(page) {
  for (let turn = 0; turn < 4; turn++) await click(page, page.getByRole('button', { name: 'Next testimonial' }))
}

async function fillSignUp(page) {
  const fields = page.locator('main form input:not([type=hidden]):not([type=checkbox])')
  for (let place = 0; place < (await fields.count()); place++) {
    await click(page, fields.nth(place))
    await fields.nth(place).pressSequentially('Learn 2026', { delay: letterMs })
  }
  await click(page, page.locator('main form button[type=submit]').first())
}

async function controlFilm(page) {
  const player = page.getByRole('region', { name: 'Video player' })
  await press(page, player.getByRole('button', { name: 'Play', exact: true }))
  await press(page, player.getByRole('button', { name: 'Captions' }))
  await press(page, player.getByRole('button', { name: 'Mute' }))
  for (const key of ['ArrowRight', 'ArrowLeft', 'k']) {
    await page.keyboard.press(key)
    await settle(page)
  }
}

async function writeNote(page) {
  await type(page, page.getByLabel('Search the transcript'), 'bucket')
  await press(page, page.getByRole('tab', { name: 'Notes' }))
  await type(page, page.getByLabel('New note at this moment'), 'Ask why.')
  await press(page, page.getByRole('button', { name: 'Bookmark', exact: true }))
  await press(page, page.getByRole('button', { name: 'Bookmarked' }))
}

async function openLessons(page) {
  await press(page, page.getByRole('button', { name: /^Lessons/ }))
  await page.keyboard.press('Escape')
}

async function answerQuiz(page) {
  const question = page.locator('form:has(fieldset)').first()
  await press(page, question.locator('input').first())
  await press(page, question.locator('input').nth(1))
  await press(page, question.getByRole('button', { name: 'Check answer' }))
}

async function answerExam(page) {
  for (let turn = 0; turn < 3; turn++) {
    const choice = page.getByRole('radio').or(page.getByRole('checkbox')).first()
    if (await choice.isVisible()) await press(page, choice)
    await press(page, page.getByRole('button', { name: 'Next', exact: true }))
  }
}

async function readProfile(page) {
  const sections = page.getByRole('navigation', { name: 'Profile' })
  for (const name of ['Current Courses', 'Exam Scores', 'Achievements', 'Settings'])
    await press(page, sections.getByRole('link', { name }))
}
