import { existsSync } from 'node:fs'

/** Debian's Chromium without windows, which needs a third of the CPU time of Chromium. */
export const headlessShellPath = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of the browser for tests: the one of `CHROMIUM_PATH`, the headless shell or any
 * other Chromium.
 *
 * @returns null if there is no browser
 */
export function findTestBrowser(): string | null {
  if (!process.env.CHROMIUM_PATH && existsSync(headlessShellPath)) {
    return headlessShellPath
  }

  return findChromium()
}

/**
 * Returns the path of the browser for measurements: the one of `CHROMIUM_PATH`, or the system's
 * Chromium or Chrome.
 *
 * @returns null if there is no browser
 */
export function findChromium(): string | null {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]

  return candidates.find((file) => file && existsSync(file)) ?? null
}
