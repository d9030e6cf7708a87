import Bowser from 'bowser'

export type DeviceKind = 'computer' | 'phone' | 'tablet'

const unknownDevice = 'Unknown device'

/** Longer headers are cut off. Browsers don't send them, and parsing them would take too long. */
const maxUserAgentLength = 500

/**
 * Other names of browsers are left out. Otherwise someone could send a text of their choice as the
 * name of a browser, and the learner would read it in the security log.
 */
const knownBrowserNames = new Set(Object.values(Bowser.BROWSER_MAP))

/** Returns a name such as 'Firefox on Windows' for a browser's User-Agent header. */
export function describeDevice(userAgent: string | null): { name: string; kind: DeviceKind } {
  if (!userAgent) {
    return { name: unknownDevice, kind: 'computer' }
  }

  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, maxUserAgentLength))
  const browserName = browser.name && knownBrowserNames.has(browser.name) ? browser.name : undefined
  const systemName = os.name === 'iOS' ? platform.model : os.name
  const names = [browserName, systemName].filter((name) => name !== undefined)

  return { name: names.join(' on ') || unknownDevice, kind: getDeviceKind(platform.type) }
}

function getDeviceKind(platformType: string | undefined): DeviceKind {
  if (platformType === 'mobile') {
    return 'phone'
  }

  return platformType === 'tablet' ? 'tablet' : 'computer'
}
