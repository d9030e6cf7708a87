/** 'A. L.' of 'Ada Lovelace'; what the public page shows of a learner who does not show the full name. */
export function initialsOf(name: string): string {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const initials = name
    .trim()
    .split(/\s+/u)
    .map((word) => [...segmenter.segment(word)][0]?.segment.toLocaleUpperCase('en'))
    .filter(Boolean)
  return initials.length > 0 ? `${initials.join('. ')}.` : 'A learner'
}
