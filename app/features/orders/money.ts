/** How many digits follow the point: 2 for USD, 0 for JPY, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits
}

/** An example for a field: '10.50' in dollars, '1050' in yen. */
export function amountExample(currency: string): string {
  const decimals = currencyDecimals(currency)
  return decimals === 0 ? '1050' : (10.5).toFixed(decimals)
}

/**
 * An amount as people read it, like '$69.00' or '¥6,900'.
 *
 * @param minor in the currency's smallest unit.
 */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(minor / 10 ** currencyDecimals(currency))
}

/** '19%' or '7.7%'. @param basisPoints hundredths of a percent. */
export function percentText(basisPoints: number): string {
  return `${basisPoints / 100}%`
}
