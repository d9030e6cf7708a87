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

const longestName = 201

/**
 * A name as a certificate writes it: on one line, without signs that nobody sees, among them those that turn the text
 * around; but with the joiners that some scripts need.
 */
export function certificateName(name: string): string {
  const visible = name
    .normalize('NFC')
    .replace(/\s/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\u2028\u2029]/gu, '')
    .replace(/ +/g, ' ')
    .trim()
  return [...visible].slice(0, longestName).join('') || 'A learner'
}
