import Bowser from 'bowser'
import type { DeviceKind } from './security-section'

/** Parsing takes longer with the length, and nothing tells a browser after this. */
const longestUserAgent = 500
const longestName = 40

/** Like 'Firefox on Windows', from what the browser calls itself. */
export function describeDevice(userAgent: string | null): { name: string; kind: DeviceKind } {
  if (!userAgent) return { name: 'Unknown device', kind: 'computer' }
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longestUserAgent))
  const system = os.name === 'iOS' ? platform.model : os.name
  const names = [browser.name, system].flatMap((name) => (name ? [name.slice(0, longestName)] : []))
  const kind = platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'computer'
  return { name: names.join(' on ') || 'Unknown device', kind }
}
