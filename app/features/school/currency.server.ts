import { siteCurrency } from '~/server/site/site.server'

/** Returns how many decimals prices in course files may have: 2 for dollars, 0 for yen. */
export function minorDigits(): number {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: siteCurrency() })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
