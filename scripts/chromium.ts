import { existsSync } from 'node:fs'

/** Debian's Chromium without a window: a journey costs it a third of the processor time. */
export const headlessShellPath = '/usr/bin/chromium-headless-shell'

/**
 * The browser of the journeys: `CHROMIUM_PATH`, the headless shell, or any other Chromium. Null
 * without one.
 */
export function findTestBrowser(): string | null {
  return process.env.CHROMIUM_PATH || !existsSync(headlessShellPath)
    ? findChromium()
    : headlessShellPath
}

/**
 * The browser of measurements: `CHROMIUM_PATH`, or the system's Chromium or Chrome. Null without
 * one.
 */
export function findChromium(): string | null {
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]

  return places.find((place) => place && existsSync(place)) ?? null
}
