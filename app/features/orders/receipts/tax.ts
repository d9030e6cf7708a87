import { cleanText } from '~/ui/form/clean-text'

/**
 * The tax rates by country (ISO 3166-1 alpha-2), in hundredths of a percent. `*` stands for every
 * other country. Prices contain the tax.
 */
export type TaxRates = Readonly<Record<string, number>>

/**
 * Parses tax rates such as 'DE=19 AT=20 *=0'.
 *
 * @returns null if the text is not a list of tax rates
 */
export function parseTaxRates(text: string): TaxRates | null {
  const entries = text.split(/[\s,]+/).filter(Boolean)
  const rates: Record<string, number> = {}
  for (const entry of entries) {
    const [, country, percent] = /^([A-Z]{2}|\*)=(\d{1,2}(?:\.\d{1,2})?)$/.exec(entry) ?? []
    if (!country || !percent) {
      return null
    }

    rates[country] = Math.round(Number(percent) * 100)
  }

  return rates
}

/**
 * Parses a percentage such as '19', '7.7' or '7,7 %'.
 *
 * @returns hundredths of a percent, or null if the text is not a percentage below 100
 */
export function parsePercent(text: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,2})(?:[.,](\d{1,2}))?\s*%?$/.exec(cleanText(text)) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** Lists the countries with a rate of their own. */
export function listTaxCountries(rates: TaxRates): string[] {
  return Object.keys(rates).filter((country) => country !== '*')
}

/** Returns the rate of a country in hundredths of a percent, or the rate of all other countries. */
export function getTaxRate(rates: TaxRates, country = '*'): number {
  return rates[country] ?? rates['*'] ?? 0
}

/**
 * Returns the tax that a total contains. It is rounded half away from zero, so that the credit note
 * of a full refund takes back exactly the tax of the receipt.
 *
 * @param totalMinor negative for a credit note
 */
export function getContainedTax(totalMinor: number, basisPoints: number): number {
  const tax = Math.round((Math.abs(totalMinor) * basisPoints) / (10_000 + basisPoints))
  return totalMinor < 0 ? -tax : tax
}

/** Formats a tax rate, such as '19%' or '7.7%'. */
export function formatTaxRate(basisPoints: number): string {
  return `${basisPoints / 100}%`
}
