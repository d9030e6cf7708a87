/**
 * Amounts of money: reading, writing and comparing them.
 *
 * An amount is a whole number of the currency's smallest unit ("minor unit"): cents for USD, yen
 * for JPY, thousandths of a dinar for KWD. Variables that hold one end in `Minor`. A currency is an
 * ISO 4217 code such as 'USD'.
 */

import { cleanText } from '~/ui/form/clean-text'

type Money = { amountMinor: number; currency: string }

/** Amounts are stored as 32-bit integers. This maximum is a round number below their limit. */
export const maxAmountMinor = 1_000_000_000

/**
 * The currencies that don't have two decimals, from Unicode CLDR 48. They are listed here because
 * browsers and versions of Node.js disagree about some of them, such as IDR and COP, and the stored
 * amounts have to mean the same everywhere.
 */
const currenciesWithoutDecimals = new Set(
  [
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP',
    'MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV XAF XOF XPF YER',
  ].flatMap((codes) => codes.split(' ')),
)
const currenciesWithThreeDecimals = new Set('BHD JOD KWD LYD OMR TND'.split(' '))

/** Returns how many digits follow the decimal point: 2 for USD, 0 for JPY, 3 for KWD. */
export function getCurrencyDecimals(currency: string): number {
  if (currenciesWithoutDecimals.has(currency)) {
    return 0
  }

  return currenciesWithThreeDecimals.has(currency) ? 3 : 2
}

/** Formats an amount with all decimals, such as '$69.00' or '¥6,900', for receipts and checkout. */
export function formatMoney(amountMinor: number, currency: string): string {
  return getFullFormat(currency).format(toMajorUnits(amountMinor, currency))
}

/** Formats a price as course cards show it: '$199', '$19.50', '¥4,900', or 'Free' for 0. */
export function formatPrice(priceMinor: number, currency: string): string {
  if (priceMinor === 0) {
    return 'Free'
  }

  return getShortFormat(currency).format(toMajorUnits(priceMinor, currency))
}

/** Formats an amount without the currency and without separators, such as '1234.50'. */
export function formatDecimal(amountMinor: number, currency: string): string {
  return toMajorUnits(amountMinor, currency).toFixed(getCurrencyDecimals(currency))
}

/** Converts minor units to major units, such as 1950 cents to 19.5 dollars. */
export function toMajorUnits(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** getCurrencyDecimals(currency)
}

/**
 * Converts major units to minor units, such as 19.5 dollars to 1950 cents. An amount with too many
 * decimals does not become a whole number, so callers have to check the result.
 */
export function toMinorUnits(majorUnits: number, currency: string): number {
  const product = majorUnits * 10 ** getCurrencyDecimals(currency)
  const rounded = Math.round(product)

  // 49.99 * 100 is not quite 4999, because of floating-point arithmetic.
  const isRoundingError = Math.abs(product - rounded) <= 4 * Number.EPSILON * product
  return isRoundingError ? rounded : product
}

type ParsedAmount = { ok: true; value: number } | { ok: false; problem: string }

/**
 * Parses an amount that somebody typed or pasted into minor units. The decimal mark may be a point
 * or a comma, thousands may be grouped, and the currency may stand beside the number: '10.50',
 * '10,5', '$1,234.50' and '1.234,50 €'.
 */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const decimals = getCurrencyDecimals(currency)
  const numberText = removeCurrency(cleanText(text), currency)
  const digits = splitAmount(numberText, decimals)
  if (digits === null) {
    return { ok: false, problem: `Give an amount like ${amountExample(currency)}.` }
  }

  const amountMinor = Number(digits.whole + digits.fraction.padEnd(decimals, '0'))
  if (amountMinor > maxAmountMinor) {
    return { ok: false, problem: 'Give a lower amount.' }
  }

  return { ok: true, value: amountMinor }
}

/**
 * Removes the code or the symbol of the currency, such as 'EUR' or '€', from either end of a text.
 */
function removeCurrency(text: string, currency: string): string {
  for (const name of [currency, currency.toLowerCase(), ...listSymbols(currency)]) {
    if (text.startsWith(name)) {
      return text.slice(name.length).trim()
    }

    if (text.endsWith(name)) {
      return text.slice(0, -name.length).trim()
    }
  }

  return text
}

/** Lists the symbols of a currency as `cleanText` returns them: 'CA$' and '$' for CAD. */
function listSymbols(currency: string): string[] {
  return (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay })
    const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value
    return cleanText(symbol ?? currency)
  })
}

/** A number without groups, such as '1234,50'. U+066B is the decimal mark of Arabic. */
const ungroupedNumber = /^(?<whole>\d+)(?:[.,\u066b](?<fraction>\d+))?$/
/**
 * A number with groups of three digits, such as '1.234,50'. U+066C groups digits in Arabic. The
 * first group doesn't begin with 0, because '0,500' is a fraction.
 */
const groupedNumber =
  /^(?<whole>[1-9]\d{0,2}(?:(?<mark>[.,' \u066c])\d{3})(?:\k<mark>\d{3})*)(?:(?!\k<mark>)[.,\u066b](?<fraction>\d+))?$/

/**
 * Splits a number into its digits before and after the decimal mark.
 *
 * @returns null if the text is not a number, has too many decimals, or could mean two amounts
 */
function splitAmount(text: string, decimals: number): { whole: string; fraction: string } | null {
  if (isAmbiguous(text, decimals)) {
    return null
  }

  for (const format of [ungroupedNumber, groupedNumber]) {
    const { whole, fraction = '' } = format.exec(text)?.groups ?? {}
    if (whole !== undefined && fraction.length <= decimals) {
      return { whole: whole.replaceAll(/\D/g, ''), fraction }
    }
  }

  return null
}

/**
 * Returns whether three digits after the only mark could be decimals as well as a group. A wrong
 * guess would make the amount a thousand times too high or too low, and '49.999' dollars may be a
 * typing error. In English, decimals follow a point and a group follows a comma.
 */
function isAmbiguous(text: string, decimals: number): boolean {
  const mark = /^\d{1,3}([.,])\d{3}$/.exec(text)?.[1]
  return (decimals === 2 && mark === '.') || (decimals === 3 && mark === ',')
}

/** Parses an amount that somebody typed into an optional field. An empty field becomes null. */
export function parseOptionalAmount(
  text: string,
  currency: string,
): ParsedAmount | { ok: true; value: null } {
  return text === '' ? { ok: true, value: null } : parseAmount(text, currency)
}

/** Returns an example for the hint of a field: '10.50' in dollars, '1050' in yen. */
export function amountExample(currency: string): string {
  const decimals = getCurrencyDecimals(currency)
  return decimals === 0 ? '1050' : (10.5).toFixed(decimals)
}

export function isSameMoney(one: Money, other: Money): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency
}

/**
 * Returns how many percent the price is below the full price, or 0 if the price is not lower. The
 * result is rounded down, so that it never promises too much.
 */
export function getPercentOff(priceMinor: number, fullPriceMinor: number): number {
  if (fullPriceMinor <= priceMinor) {
    return 0
  }

  return Math.floor(((fullPriceMinor - priceMinor) * 100) / fullPriceMinor)
}

// Creating a formatter takes much longer than using it, and pages format many prices.
const fullFormats = new Map<string, Intl.NumberFormat>()
const shortFormats = new Map<string, Intl.NumberFormat>()

function getFullFormat(currency: string): Intl.NumberFormat {
  let format = fullFormats.get(currency)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', getFormatOptions(currency))
    fullFormats.set(currency, format)
  }

  return format
}

function getShortFormat(currency: string): Intl.NumberFormat {
  let format = shortFormats.get(currency)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', {
      ...getFormatOptions(currency),
      trailingZeroDisplay: 'stripIfInteger',
    })
    shortFormats.set(currency, format)
  }

  return format
}

function getFormatOptions(currency: string): Intl.NumberFormatOptions {
  const decimals = getCurrencyDecimals(currency)
  return {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }
}
