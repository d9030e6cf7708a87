/**
 * Cleans codes and search texts that people type or paste.
 *
 * A keyboard may write full-width letters or the digits of its own script, a phone replaces quotes
 * and hyphens by typographic ones, and a text copied from an email brings along invisible
 * characters, quotation marks or the period of a sentence. Every field for a code or a search reads
 * its text with these functions, so that all of them accept the same.
 */

/** Soft hyphens, joiners, direction marks and other characters that nobody sees. */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu
/** Control characters count as spaces. PostgreSQL refuses NUL in a text. */
const spaces = /[\s\p{Cc}]+/gu
const dashes = /[\p{Pd}−˗⁃]/gu
const singleQuotes = /[‘’‛ʼʻ′´`]/gu
const doubleQuotes = /[“”„‟]/gu

/** Quotation marks of all languages. French puts spaces between them and the text. */
const quotes = '"\'«»‹›「」『』‚\\s'
const periods = '.。'
/** A text between quotation marks. A period may stand before or behind the closing ones. */
const quotedText = new RegExp(
  `^[${quotes}]+(?<text>[^\\s"'].*?)[${quotes}${periods}]*[${quotes}][${quotes}${periods}]*$`,
  'u',
)
/** A period after a sign is kept, because it may be meant, as in `...`. */
const endOfSentence = new RegExp(`(?<=[\\p{L}\\p{M}\\p{N}"'])[${periods}]+$`, 'u')

/**
 * Returns an entered text in one line of ordinary characters, without invisible characters, and
 * without quotation marks around it or a period at its end.
 */
export function cleanText(enteredText: string): string {
  const text = enteredText
    .replaceAll(invisibleCharacters, '')
    // The compatibility form of an accent sign that serves as a quote is a space with an accent.
    .replaceAll(singleQuotes, "'")
    .replaceAll(doubleQuotes, '"')
    .normalize('NFKC')
    .replaceAll(dashes, '-')
    .replaceAll(spaces, ' ')
    .trim()

  // A single quotation mark stays, because it may belong to the text, as in "rock 'n' roll".
  const unquotedText = quotedText.exec(text)?.groups?.text ?? text
  const cleanedText = unquotedText.replace(endOfSentence, '')

  return hasLettersOfOtherScripts.test(cleanedText) ? cleanedText : toWesternDigits(cleanedText)
}

/** In an Arabic title, for example, the digits of the script belong to the text. */
const hasLettersOfOtherScripts = /(?!\p{Script=Latin})\p{L}/u

/**
 * Returns an entered code in capital letters, without spaces, hyphens and quotation marks. Codes
 * are stored in this form.
 */
export function cleanCode(enteredCode: string): string {
  return cleanText(enteredCode)
    .replaceAll(/[\s'"-]/g, '')
    .toUpperCase()
}

/** Replaces the digits of all scripts. Unicode lists those of a script in a row, zero first. */
export function toWesternDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(countDigitsBefore(digit) % 10))
}

/** Returns how many digits stand directly before this one in Unicode. */
function countDigitsBefore(digit: string): number {
  let count = 0
  for (
    let code = (digit.codePointAt(0) ?? 0) - 1;
    /\p{Nd}/u.test(String.fromCodePoint(code));
    code -= 1
  ) {
    count += 1
  }

  return count
}
