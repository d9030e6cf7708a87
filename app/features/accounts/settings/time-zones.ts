/** The specification's time zones, by the IANA name that is stored. */
export const timeZones = [
  { name: 'America/Los_Angeles', label: 'Pacific Standard Time' },
  { name: 'America/Denver', label: 'Mountain Standard Time' },
  { name: 'America/Chicago', label: 'Central Standard Time' },
  { name: 'America/New_York', label: 'Eastern Standard Time' },
] as const

/**
 * The label while no time zone is chosen.
 *
 * @param detected of the learner's browser, if that is known.
 */
export function browserZoneLabel(detected: string | null): string {
  return detected ? `Same as my browser (${detected.replaceAll('_', ' ')})` : 'Same as my browser'
}

/**
 * @returns the label of a stored time zone; one that the form does not offer is shown by its own
 * name.
 */
export function timeZoneLabel(name: string): string {
  return timeZones.find((zone) => zone.name === name)?.label ?? name.replaceAll('_', ' ')
}
