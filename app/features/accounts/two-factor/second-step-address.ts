/** The page of the second step of a sign-in. @param onward where it leads afterwards. */
export function secondStepAddress(onward: string): string {
  return onward === '/Profile'
    ? '/SecondStep'
    : `/SecondStep?${new URLSearchParams({ from: onward })}`
}
