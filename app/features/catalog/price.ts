/** Whole percent that the price lies below the original one, rounded down; 0 when it does not. */
export function percentOff(priceCents: number, originalPriceCents: number): number {
  if (originalPriceCents <= priceCents) {
    return 0
  }

  return Math.floor(((originalPriceCents - priceCents) * 100) / originalPriceCents)
}
