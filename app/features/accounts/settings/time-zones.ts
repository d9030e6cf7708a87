/** The time zones of the specification. The name is the IANA name, which is stored. */
export const timeZones = [
  { name: 'America/Los_Angeles', label: 'Pacific Standard Time' },
  { name: 'America/Denver', label: 'Mountain Standard Time' },
  { name: 'America/Chicago', label: 'Central Standard Time' },
  { name: 'America/New_York', label: 'Eastern Standard Time' },
] as const

/**
 * Returns the label for a learner who has chosen no time zone.
 *
 * @param detectedName the time zone of the learner's browser, if it is known
 */
export function browserZoneLabel(detectedName: string | null): string {
  return detectedName
    ? `Same as my browser (${detectedName.replaceAll('_', ' ')})`
    : 'Same as my browser'
}

/** Returns the label of a stored time zone, or its name if the form does not offer it. */
export function timeZoneLabel(name: string): string {
  const offeredZone = timeZones.find((zone) => zone.name === name)
  return offeredZone?.label ?? name.replaceAll('_', ' ')
}
