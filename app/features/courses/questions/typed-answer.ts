/**
 * Typed answers, read the way people and phones write them. One rule for exams and practice.
 *
 * A phone turns `--` into an em dash and straight quotes into curly ones, a keyboard may write its
 * own script's digits, and a copied text may carry invisible characters. None of that makes an
 * answer wrong.
 */
import { toWesternDigits } from '~/ui/form/clean-text'

const superscriptDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const superscript = /[⁰¹²³⁴-⁹⁺⁻]+/gu
/**
 * Characters without a look: joiners, direction marks, variation selectors, controls other than
 * white space.
 */
const invisible = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu
const longDash = /[‒–—―⸺⸻]/gu
const shortDash = /[\p{Pd}−⁻₋˗⁃]/gu
const quote = /["'`´“”„‟‘’‚‛«»‹›′″‵‶ʹʺʼʻ＂＇]/gu

/**
 * Whether a typed text is one of the accepted ones; case, spaces, quotes and a leading article
 * don't count.
 */
export function isAcceptedText(typed: string, accepted: readonly string[]): boolean {
  const given = dashReadings(typed).map(foldText)
  if (given.includes('')) {
    return false
  }

  // An author may write m², a learner m2: the accepted text decides whether the plain digit will
  // do.
  const right = accepted.flatMap((text) => [foldText(text), foldText(withoutSuperscripts(text))])

  return given.some((text) => right.includes(text))
}

/**
 * Equal for texts that differ only in case, spaces, hyphens, quotes, a leading article or a full
 * stop at the end.
 */
export function foldText(text: string): string {
  const plain = plainText(text)
  const folded = plain
    .replace(quote, '')
    .replace(/^(the|an?) /u, '')
    .replace(/\s/gu, '')
    .replace(/(?<=\p{L})-+(?=\p{L})/gu, '')
    .replace(/[.,;!]+$/u, '')

  return folded || plain
}

/** A long dash is one hyphen, or the two that a phone replaced by it. */
function dashReadings(text: string): string[] {
  const plain = withoutInvisible(text)
  return [plain.replace(longDash, '--'), plain.replace(longDash, '-')]
}

/**
 * Lowercase by every alphabet, with Western digits, plain dashes and letters of normal width.
 * A superscript stays one: 10³ becomes 10^3, never 103.
 */
function plainText(text: string): string {
  return toWesternDigits(withPowers(withoutInvisible(text).replace(/´/gu, "'")))
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/i\u0307/gu, 'i')
    .replaceAll('ς', 'σ')
    .replace(shortDash, '-')
    .replace(/\s+/gu, ' ')
    .trim()
}

function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

function withPowers(text: string): string {
  const powers = text.replace(superscript, (power) => `^${plainPower(power)}`)
  // In 3²4 the 4 is no part of the power.
  return /[⁰¹²³⁴-⁹]\p{Nd}/u.test(text) ? `${powers} ^` : powers
}

function withoutSuperscripts(text: string): string {
  return text.replace(superscript, plainPower)
}

function plainPower(power: string): string {
  return [...power].map(plainSign).join('')
}

function plainSign(sign: string): string {
  if (sign === '⁻') {
    return '-'
  }

  return sign === '⁺' ? '+' : String(superscriptDigits.indexOf(sign))
}

/**
 * The possible values of a typed number: none (it is no number), one, or two if its one comma or
 * point may separate thousands or decimals ('1,234'). The reading of the product's own pages,
 * American English, comes first.
 *
 * @param unit may stand behind the number.
 */
export function readNumbers(text: string, unit?: string | null): number[] {
  const number = plainNumber(text)
  const units = [unit ?? '', withoutSuperscripts(unit ?? '')].map(plainNumber)
  const behind = units.find((name) => name !== '' && number.endsWith(name)) ?? ''
  const digits = number.slice(0, number.length - behind.length)
  const values = [readPower, readFraction]
    .map((read) => read(digits))
    .find((value) => value !== null)
  if (values !== undefined) {
    return [values]
  }

  return decimalReadings(digits)
    .map((reading) =>
      /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/.test(reading) ? Number(reading) : Number.NaN,
    )
    .filter(Number.isFinite)
}

function plainNumber(text: string): string {
  return plainText(withVulgarFractions(text).replace(longDash, '-'))
    .replace(/٫/gu, '.')
    .replace(/،/gu, ',')
    .replace(/[\s'’_٬]/gu, '')
}

/** ½ becomes +1/2, so that 1½ is one and a half. */
function withVulgarFractions(text: string): string {
  return text.replace(/[¼-¾⅐-⅞↉]/gu, (sign) => `+${sign.normalize('NFKC').replace('⁄', '/')}`)
}

/** 10^3, 2.5×10^3 or 2.5*10^-3. */
function readPower(digits: string): number | null {
  const match = /^([+-]?)(?:(\d+(?:[.,]\d+)?)[x×*·⋅])?(\d+)(?:\^|\*\*)([+-]?\d{1,3})$/.exec(digits)
  if (!match) {
    return null
  }

  const [, sign, factor = '1', base, exponent] = match
  const value = Number(factor.replace(',', '.')) * Number(base) ** Number(exponent)

  const signedValue = sign === '-' ? -value : value

  return Number.isFinite(value) ? signedValue : null
}

/** 1/2, -3/4, or 1+1/2 as 1½ is written here. */
function readFraction(digits: string): number | null {
  const match = /^([+-]?)(?:(\d+)\+|\+)?(\d+)\/(\d+)$/.exec(digits)
  if (!match) {
    return null
  }

  const [, sign, whole = '0', above, below] = match
  if (Number(below) === 0) {
    return null
  }

  const value = Number(whole) + Number(above) / Number(below)

  return sign === '-' ? -value : value
}

/**
 * The number with a point for decimals and nothing for thousands, in each way that its signs allow.
 */
function decimalReadings(digits: string): string[] {
  const asDecimal = digits.replace(',', '.')
  // 1,234 and 1.234
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(digits)) {
    return [digits.replace(',', ''), asDecimal]
  }

  if (/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(digits)) {
    return [digits, digits.replace('.', '')]
  }

  // 1,234,567.8 and, as in India, 12,34,567.8
  if (/^[+-]?[1-9]\d{0,2}(,\d{2,3})*,\d{3}(\.\d+)?$/.test(digits)) {
    return [digits.replaceAll(',', '')]
  }

  // 1.234.567,8
  if (
    /^[+-]?[1-9]\d{0,2}(\.\d{3})+,\d+$/.test(digits) ||
    /^[+-]?[1-9]\d{0,2}(\.\d{3}){2,}$/.test(digits)
  ) {
    return [digits.replaceAll('.', '').replace(',', '.')]
  }

  return [/^[+-]?\d*,\d+$/.test(digits) ? asDecimal : digits]
}

/** Returns a typed answer for display, followed by its unit unless the learner typed that, too. */
export function formatTypedAnswer(text: string, unit: string | null): string {
  return unit !== null && !text.includes(unit) ? `${text} ${unit}` : text
}
