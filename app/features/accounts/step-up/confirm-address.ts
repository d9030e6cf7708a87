/** The page 'Confirm it's you'. @param onward where it leads afterwards. */
export function confirmAddress(onward: string): string {
  return `/Confirm?${new URLSearchParams({ from: onward })}`
}
