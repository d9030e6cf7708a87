const grouped = new Intl.NumberFormat('en-US')

/** Like '45,230'. */
export function numberText(number: number): string {
  return grouped.format(number)
}

/** Like '1 day' or '45,230 students'. */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${numberText(count)} ${count === 1 ? singular : plural}`
}
