/**
 * Brings typed answers into one spelling, so that exams and practice accept what people and devices
 * write.
 *
 * A phone turns `--` into an em dash and straight quotes into curly ones, a keyboard may write the
 * digits of its own script, and a copied text may contain invisible characters. None of that makes
 * an answer wrong.
 */
import { toWesternDigits } from '~/ui/form/clean-text'

/** Joiners, direction marks, variation selectors and all controls except white space. */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu
/** Dashes that a phone writes in place of one hyphen or of two. */
export const longDashes = /[‒–—―⸺⸻]/gu
const hyphensAndMinusSigns = /[\p{Pd}−⁻₋˗⁃]/gu
const superscripts = /[⁰¹²³⁴-⁹⁺⁻]+/gu

/**
 * Returns the text in lowercase letters of normal width, with Western digits, plain hyphens and
 * single spaces. A superscript becomes a power: 10³ is 10^3, never 103.
 */
export function normalizeTypedAnswer(text: string): string {
  // The form NFKC of this accent, which some people type as a quote, is a space with an accent.
  const visibleText = removeInvisibleCharacters(text).replaceAll('´', "'")
  const textWithPowers = replaceSuperscriptsByPowers(visibleText)
  const compatibleText = toWesternDigits(textWithPowers).normalize('NFKC')

  return foldCase(compatibleText)
    .replaceAll(hyphensAndMinusSigns, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

export function removeInvisibleCharacters(text: string): string {
  return text.replaceAll(invisibleCharacters, '')
}

function replaceSuperscriptsByPowers(text: string): string {
  const textWithPowers = text.replaceAll(
    superscripts,
    (superscript) => `^${toPlainCharacters(superscript)}`,
  )

  // 3²4 would read as 3^24. The additional sign makes the text differ from every power.
  const isPowerFollowedByDigit = /[⁰¹²³⁴-⁹]\p{Nd}/u.test(text)
  return isPowerFollowedByDigit ? `${textWithPowers} ^` : textWithPowers
}

/** Replaces superscripts by plain digits and signs: m² becomes m2. */
export function replaceSuperscripts(text: string): string {
  return text.replaceAll(superscripts, toPlainCharacters)
}

function toPlainCharacters(superscript: string): string {
  return superscript.normalize('NFKC').replaceAll('−', '-')
}

/** Returns the same text for texts that differ only in case, in every alphabet. */
function foldCase(text: string): string {
  // Only the uppercase form of ß is the same as that of 'ss'.
  const lowercaseText = text.toUpperCase().toLowerCase().normalize('NFKC')

  return (
    lowercaseText
      // The Turkish İ becomes an i with a separate dot above.
      .replaceAll('i\u0307', 'i')
      // The Greek sigma has another form at the end of a word.
      .replaceAll('ς', 'σ')
  )
}
