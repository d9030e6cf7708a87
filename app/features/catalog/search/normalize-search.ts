import { cleanText } from '~/ui/form/clean-text'

const maxSearchLength = 100
/** Matches names of ASCII characters with single spaces. They need no normalization. */
const normalizedAsciiName = /^[!-~]+(?: [!-~]+)*$/

/**
 * Returns a search text as it is compared and displayed. A text of nothing but invisible characters
 * is kept, because it is a search that finds nothing, unlike an empty one, which finds everything.
 */
export function normalizeSearch(typedText: string): string {
  return limitLength(cleanText(typedText)) || normalizeName(typedText)
}

/**
 * Returns the name of a language, a skill or an instructor as an option of a filter. Names are
 * displayed, so they keep their quotes and dashes. Control characters count as spaces, because
 * PostgreSQL refuses NUL in a text.
 */
export function normalizeName(name: string): string {
  if (name.length <= maxSearchLength && normalizedAsciiName.test(name)) {
    return name
  }

  const spacedName = name
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return limitLength(spacedName)
}

/** Cuts a text without cutting a character in half. */
function limitLength(text: string): string {
  return [...text].slice(0, maxSearchLength).join('').trim()
}
