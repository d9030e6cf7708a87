import { siteCurrency } from '../site/site.server'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const format =
    formats.get(currency) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      trailingZeroDisplay: 'stripIfInteger',
    })

  formats.set(currency, format)
  return format
}

/** Decimal places of a currency: 2 for dollars, 0 for yen, 3 for dinars. */
export function minorDigits(currency: string = siteCurrency()): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * A price as pages show it: '$199', '$19.50', '¥4,900', or 'Free' for 0.
 *
 * @param minorUnits cents, or what the currency has instead of them.
 */
export function priceText(minorUnits: number, currency: string = siteCurrency()): string {
  return minorUnits === 0
    ? 'Free'
    : formatOf(currency).format(minorUnits / 10 ** minorDigits(currency))
}

/** A price as machines read it: '19.50'. */
export function priceNumber(minorUnits: number, currency: string = siteCurrency()): string {
  const digits = minorDigits(currency)
  return (minorUnits / 10 ** digits).toFixed(digits)
}
