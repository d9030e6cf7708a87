/** The text in lowercase, with letters and spaces of normal width. */
export function plainText(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/**
 * Reads a number as people type it: spaces, a true minus, thousands separators, a decimal comma, the unit behind it.
 * '1,234' is one thousand two hundred and thirty-four, as on every page of the product; '3,5' is three and a half.
 *
 * @returns null if it is no number.
 */
export function readNumber(text: string, unit?: string | null): number | null {
  let digits = withoutSpaces(plainText(text).replaceAll('−', '-'))
  const plainUnit = withoutSpaces(plainText(unit ?? ''))
  if (plainUnit && digits.endsWith(plainUnit)) digits = digits.slice(0, -plainUnit.length)
  digits = digits.replace(/['_]/g, '')
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(digits)) digits = digits.replaceAll(',', '')
  else if (/^[+-]?\d*,\d+$/.test(digits)) digits = digits.replace(',', '.')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/.test(digits)) return null
  const value = Number(digits)
  return Number.isFinite(value) ? value : null
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '')
}
