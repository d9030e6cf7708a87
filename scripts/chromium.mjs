import { existsSync } from 'node:fs'

/** The browser of the journeys: `CHROMIUM_PATH`, or where the systems keep Chromium or Chrome. Null if there is none. */
export function chromiumPath() {
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
