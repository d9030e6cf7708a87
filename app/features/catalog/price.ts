const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
})

/** '$199', '$19.50', or 'Free' for 0. */
export function priceText(priceCents: number): string {
  return priceCents === 0 ? 'Free' : dollars.format(priceCents / 100)
}

/** Whole percent that the price lies below the original one, rounded down; 0 when it does not. */
export function percentOff(priceCents: number, originalPriceCents: number): number {
  if (originalPriceCents <= priceCents) return 0
  return Math.floor(((originalPriceCents - priceCents) * 100) / originalPriceCents)
}
