const names = new Intl.DisplayNames('en-US', { type: 'region' })

/** 'Germany'. @param code ISO 3166-1 alpha-2. */
export function countryName(code: string): string {
  return names.of(code) ?? code
}
