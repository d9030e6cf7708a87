import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const axeSource = readFileSync(axeFile, 'utf8')

const viewportHeight = 900

/**
 * A phone and a wide screen: one width below and one above every breakpoint. The themes differ only
 * in their colors, so each is checked at one width.
 */
const views = [
  { width: 320, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const

/**
 * Expects that axe finds no violation and that the page fits the window, in both views.
 *
 * @param part a selector of the part that axe checks, if another test checks the rest of the page
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: viewportHeight })
    await expectToFit(page)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoViolations(page, part)
  }
}

/** Expects no horizontal scroll bar, once the page is laid out for its new width. */
export async function expectToFit(page: Page): Promise<void> {
  const viewport = page.viewportSize()
  if (viewport === null) {
    throw new Error('The page has no fixed viewport.')
  }

  const readScrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth)

  await expect
    .poll(readScrollWidth, { message: `scroll width at ${viewport.width} px` })
    .toBeLessThanOrEqual(viewport.width)
}

async function expectNoViolations(page: Page, part: string): Promise<void> {
  await waitForTransitions(page)

  const violations = await findViolations(page, part)
  const problems = violations.map(({ id, nodes }) => {
    const elements = nodes.map((node) => node.html).join(' ')
    return `${id}: ${elements}`
  })

  expect(problems, `at ${page.viewportSize()?.width} px`).toEqual([])
}

async function findViolations(page: Page, part: string): Promise<axe.Result[]> {
  // Axe stays in the page for the next check. It is compiled only once, which takes as long as a
  // check.
  const hasAxe = await page.evaluate(() => window.axe !== undefined)
  if (!hasAxe) {
    await page.evaluate(axeSource)
  }

  return page.evaluate(async (selector) => {
    if (!window.axe) {
      throw new Error('The page has no axe.')
    }

    // Without the limit to violations, axe describes every element that is fine, which takes half
    // the time.
    const { violations } = await window.axe.run(selector, { resultTypes: ['violations'] })
    return violations
  }, part)
}

/**
 * Waits until the colors of the new theme are complete. A transition of an inherited color starts
 * further transitions in the elements below it, so that one round of waiting is not enough.
 */
async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const listTransitions = () =>
      document.getAnimations().filter((animation) => animation instanceof CSSTransition)

    let transitions: CSSTransition[]
    do {
      await nextFrame()
      await nextFrame()
      transitions = listTransitions()
      await Promise.allSettled(transitions.map(({ finished }) => finished))
    } while (transitions.length > 0)
  })
}
