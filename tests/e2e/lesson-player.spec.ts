import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import {
  addNote,
  displayedNotes,
  nextLessonLink,
  noNotesMessage,
  noteField,
  openLesson,
  signUpEnrolledLearner,
  videoLessonPath,
} from '../support/lesson-journey'

test.use({
  contextOptions: { reducedMotion: 'no-preference' },
  viewport: { width: 1440, height: 900 },
})

const video = (page: Page) => page.locator('video')
const player = (page: Page) => page.getByRole('region', { name: 'Video player' })
const captionsButton = (page: Page) => page.getByRole('button', { name: 'Captions' })

async function readVideo(page: Page, property: 'paused' | 'muted' | 'currentTime') {
  return video(page).evaluate((element: HTMLVideoElement, name) => element[name], property)
}

const readSecond = async (page: Page) => Number(await readVideo(page, 'currentTime'))

test('every key of the player works, captions stand above the controls, and both settings stay', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, `${videoLessonPath}?at=13`)
  const caption = player(page).getByText('It prints twelve')
  await expectCaptionAboveControls(page, caption)
  await expectKeysOfPosition(page)

  await page.keyboard.press('m')
  await expect.poll(() => readVideo(page, 'muted')).toBe(true)

  await page.keyboard.press('c')
  await expect(captionsButton(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(caption).toBeHidden()

  await page.keyboard.press('<')
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')

  await switchOffKeysInDialog(page)
  await page.keyboard.press('m')
  await expect.poll(() => readVideo(page, 'muted')).toBe(true)

  await page.reload()
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')
  await expect(captionsButton(page)).toHaveAttribute('aria-pressed', 'false')

  await expect
    .poll(() => video(page).evaluate((element: HTMLVideoElement) => element.textTracks[0]?.mode))
    .toBe('disabled')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await expectHeadingBelowHeader(page)

  await page.getByRole('tab', { name: 'Notes' }).click()
  await noteField(page).pressSequentially('kmc?')
  await expect(noteField(page)).toHaveValue('kmc?')
  await expectControlsToHide(page)
})

async function expectCaptionAboveControls(page: Page, caption: Locator) {
  const seekBar = page.getByLabel('Seek')

  await expect(caption).toBeVisible()
  await expect
    .poll(async () => (await measureEdges(caption)).bottom - (await measureEdges(seekBar)).top)
    .toBeLessThanOrEqual(0)
  await expect
    .poll(async () => (await measureEdges(seekBar)).top - (await measureEdges(video(page))).bottom)
    .toBeLessThan(0)
}

/** Returns the upper and the lower edge of an element in the window. */
async function measureEdges(element: Locator) {
  const box = await element.boundingBox()
  return { top: box?.y ?? Number.NaN, bottom: box ? box.y + box.height : Number.NaN }
}

/** Presses the keys that play, pause and move the video. */
async function expectKeysOfPosition(page: Page) {
  await page.keyboard.press('Space')
  await expect.poll(() => readVideo(page, 'paused')).toBe(false)
  await page.keyboard.press('k')
  await expect.poll(() => readVideo(page, 'paused')).toBe(true)

  const startSecond = await readSecond(page)
  await page.keyboard.press('l')
  await expect.poll(() => readSecond(page)).toBeGreaterThan(startSecond + 9)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => readSecond(page)).toBeLessThan(startSecond + 6)
  await page.keyboard.press('j')
  await expect.poll(() => readSecond(page)).toBeLessThan(startSecond - 4)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => readSecond(page)).toBeGreaterThan(startSecond - 1)
}

/** Opens the list of keys with a question mark, and switches off the keys outside of the player. */
async function switchOffKeysInDialog(page: Page) {
  await page.keyboard.press('?')
  const settings = page.getByRole('dialog', { name: 'Video settings' })
  await expect(settings.getByText('Play or pause')).toBeVisible()
  await settings.getByLabel(/Shortcuts work anywhere on the page/).uncheck()
  await settings.getByRole('button', { name: 'Close' }).click()
  await expect(settings).toBeHidden()
  await page.getByRole('heading', { level: 1 }).click()
}

/** The link "Skip to content" must not scroll the lesson under the header, which stays in view. */
async function expectHeadingBelowHeader(page: Page) {
  const readDistance = async () => {
    const header = await page.getByRole('banner').boundingBox()
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
    return header && heading ? heading.y - header.height : null
  }

  await expect.poll(readDistance).toBeGreaterThan(0)
}

/** The controls hide while the video plays, and come back for the pointer and the keyboard. */
async function expectControlsToHide(page: Page) {
  // The video must not end, however slow the machine is.
  await video(page).evaluate((element: HTMLVideoElement) => {
    element.loop = true
  })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).hover()
  const controls = page.locator('div:has(> div > div > button[aria-label="Video settings"])')
  await expect(controls).toHaveCSS('opacity', '0')

  const hoverAndReadControls = async () => {
    await video(page).hover()
    return player(page).getAttribute('data-controls')
  }
  await expect.poll(hoverAndReadControls).toBe('shown')

  await page.getByRole('button', { name: 'Pause', exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(player(page)).toHaveAttribute('data-controls', 'hidden')
  await expect(controls).toHaveCSS('opacity', '1')
}

test('the panel beside the lesson has a transcript that leads to a second, notes of that second, and keeps its tab', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  const lessonsPanel = page.getByRole('tabpanel', { name: 'Lessons' })
  await expectLessonActionsInView(page)
  await expect(lessonsPanel).toBeVisible()

  await page.getByRole('tab', { name: 'Lessons' }).click()
  await expect(lessonsPanel).toBeVisible()

  await page.getByRole('tab', { name: 'Transcript' }).click()
  await expectTranscriptToFollow(page)

  await page.getByLabel('Search the transcript').fill('TWELVE')
  await expect(page.getByText('2 matches')).toBeVisible()

  await page.getByRole('button', { name: /It prints twelve/ }).click()
  await expect.poll(() => readSecond(page)).toBeGreaterThan(10.9)

  await page.getByRole('button', { name: 'Pause', exact: true }).click()

  await page.getByRole('tab', { name: 'Transcript' }).press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeFocused()
  await expect(noteField(page)).toBeVisible()
  await expect.poll(() => measureGapBesideVideo(page)).toBeGreaterThan(-1)

  await addNote(page, 'A name is **not** a box. <b>x</b>')
  const note = displayedNotes(page)
  await expect(note.locator('strong')).toHaveText('not')
  await expect(note.getByText('<b>x</b>')).toBeVisible()
  await expect(note.getByRole('button', { name: /Go to 0:1/ })).toBeVisible()

  await nextLessonLink(page).click()
  const articleNoteField = page.getByLabel('New note', { exact: true })
  await expect(articleNoteField).toBeVisible()

  await page.reload()
  await expect(articleNoteField).toBeVisible()
  await expectLessonActionsInView(page)

  await nextLessonLink(page).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Check: Values and Names' }),
  ).toBeVisible()
  await expectLessonActionsInView(page)

  await expect(noNotesMessage(page)).toBeVisible()

  await page.getByRole('link', { name: /Whole course/ }).click()
  await page.getByRole('link', { name: /Names Are Labels · 0:1/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Names Are Labels' })).toBeVisible()

  await changeAndDeleteNote(page)
})

/** The transcript follows the video, and stays where a finger has scrolled it. */
async function expectTranscriptToFollow(page: Page) {
  const transcript = page.getByRole('tabpanel', { name: 'Transcript' })
  const list = transcript.getByRole('list')
  await list.evaluate((element) => {
    element.style.maxHeight = '80px'
  })
  const readScroll = () => list.evaluate((element) => element.scrollTop)
  const moveTo = async (second: number, line: RegExp) => {
    await video(page).evaluate((element: HTMLVideoElement, time) => {
      element.currentTime = time
    }, second)
    await expect(transcript.getByRole('button', { name: line })).toHaveAttribute(
      'aria-current',
      'true',
    )
  }

  await moveTo(12, /It prints twelve/)
  await expect.poll(readScroll).toBeGreaterThan(0)
  await moveTo(0, /0:00/)
  await expect.poll(readScroll).toBe(0)

  await list.dispatchEvent('touchmove')
  await moveTo(12, /It prints twelve/)
  expect(await readScroll()).toBe(0)
}

async function changeAndDeleteNote(page: Page) {
  const note = displayedNotes(page)
  await note.getByRole('button', { name: 'Edit note' }).click()
  await note.getByLabel('Edit note').last().fill('Changed')
  await note.getByRole('button', { name: 'Save note' }).click()
  await expect(note.getByText('Changed')).toBeVisible()

  await note.getByRole('button', { name: 'Delete note' }).click()
  const confirmButton = page.getByRole('button', { name: 'Delete', exact: true })
  await expect(confirmButton).toBeFocused()
  await confirmButton.click()
  await expect(noNotesMessage(page)).toBeVisible()
}

async function expectLessonActionsInView(page: Page) {
  await expect(nextLessonLink(page)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Mark as done', exact: true })).toBeInViewport({
    ratio: 1,
  })
}

/** Returns the distance from the right edge of the video to the field for a note. */
async function measureGapBesideVideo(page: Page) {
  const videoBox = await video(page).boundingBox()
  const fieldBox = await noteField(page).boundingBox()
  return videoBox && fieldBox ? fieldBox.x - videoBox.x - videoBox.width : null
}
