/** An amount as people read it, like '$69', '$69.50' or '¥6,900'. @param minor in the currency's smallest unit. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor / 10 ** decimals)
}

/** '19%' or '7.7%'. @param basisPoints hundredths of a percent. */
export function percentText(basisPoints: number): string {
  return `${basisPoints / 100}%`
}
