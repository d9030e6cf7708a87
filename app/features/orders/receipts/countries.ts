/** Countries with their English names, by the code of ISO 3166-1 alpha-2. */

const countryNames = new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' })

/** Formats a country, such as 'Germany'. */
export function formatCountry(code: string): string {
  return countryNames.of(code) ?? code
}

/** The countries are listed once, on first use, because listing them takes tens of milliseconds. */
let countries: readonly string[] | undefined

/** Lists the codes of all countries, ordered by name. */
export function listCountries(): readonly string[] {
  countries ??= computeCountries()
  return countries
}

function computeCountries(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))

  return sortCountries(codes.filter(isCountry))
}

/** Codes that have a name, but belong to no country: groups of countries and placeholders. */
const codesWithoutCountry = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

function isCountry(code: string): boolean {
  const isCurrentCode = normalizeCode(code) === code
  return isCurrentCode && !codesWithoutCountry.includes(code) && countryNames.of(code) !== undefined
}

/** Returns the current code of a country, such as 'GB' for 'UK'. */
function normalizeCode(code: string): string {
  return new Intl.Locale(`und-${code}`).region ?? code
}

/** Orders codes of countries by the names of the countries. */
export function sortCountries(codes: readonly string[]): string[] {
  return codes.toSorted((one, other) => nameOrder.compare(formatCountry(one), formatCountry(other)))
}

const nameOrder = new Intl.Collator('en-US')

const nameComparison = new Intl.Collator('en-US', { sensitivity: 'base', usage: 'search' })

/** Finds a country by its name or code, in upper or lower case. Returns its code, or null. */
export function findCountry(text: string): string | null {
  if (/^[a-z]{2}$/i.test(text)) {
    const code = normalizeCode(text.toUpperCase())
    return isCountry(code) ? code : null
  }

  const hasName = (code: string) => nameComparison.compare(formatCountry(code), text) === 0
  return listCountries().find(hasName) ?? null
}
