import Bowser from 'bowser'

export type DeviceKind = 'computer' | 'phone' | 'tablet'

/** Parsing takes longer with the length, and nothing tells a browser after this. */
const longestUserAgent = 500
/**
 * Of any other, the browser's name would be a text of its own choice, which learners read in their
 * security log.
 */
const knownBrowsers = new Set(Object.values(Bowser.BROWSER_MAP))

/** Like 'Firefox on Windows', from what the browser calls itself. */
export function describeDevice(userAgent: string | null): { name: string; kind: DeviceKind } {
  if (!userAgent) {
    return { name: 'Unknown device', kind: 'computer' }
  }

  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longestUserAgent))
  const system = os.name === 'iOS' ? platform.model : os.name
  const known = browser.name && knownBrowsers.has(browser.name) ? browser.name : undefined
  const names = [known, system].filter((name) => name !== undefined)

  return { name: names.join(' on ') || 'Unknown device', kind: getDeviceKind(platform.type) }
}

function getDeviceKind(platformType: string | undefined): DeviceKind {
  if (platformType === 'mobile') {
    return 'phone'
  }

  return platformType === 'tablet' ? 'tablet' : 'computer'
}
