import { existsSync } from 'node:fs'

/** Debian's Chromium without a window, which needs a third of the CPU time. */
export const headlessShellPath = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of the browser for tests, or null if there is none: `CHROMIUM_PATH`, the headless
 * shell or any other Chromium.
 */
export function findTestBrowser(): string | null {
  return process.env.CHROMIUM_PATH || !existsSync(headlessShellPath)
    ? findChromium()
    : headlessShellPath
}

/**
 * Returns the path of the browser for measurements, or null if there is none: `CHROMIUM_PATH`, or the
 * system's Chromium or Chrome.
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
