import { longDashes, normalizeTypedAnswer, replaceSuperscripts } from './normalize-typed-answer'

/**
 * Returns the values that a typed number can have.
 *
 * There is no value if the text is not a number, and there are two if its only comma or point can
 * separate thousands or decimals, as in '1,234'. The value in American English, the language of the
 * product's pages, comes first.
 *
 * @param unit the unit that may follow the number
 */
export function listPossibleNumbers(typedText: string, unit?: string | null): number[] {
  const number = removeUnit(normalizeNumber(typedText), unit ?? '')

  const power = parsePower(number)
  if (power !== null) {
    return [power]
  }

  const fraction = parseFraction(number)
  if (fraction !== null) {
    return [fraction]
  }

  return listDecimals(number).filter(isDecimal).map(Number).filter(Number.isFinite)
}

/** Returns the text without spaces and the signs that only separate thousands. */
function normalizeNumber(text: string): string {
  const textWithPlainSigns = replaceFractionCharacters(text).replaceAll(longDashes, '-')

  return (
    joinMixedNumber(normalizeTypedAnswer(textWithPlainSigns))
      // The Arabic signs for decimals, lists and thousands.
      .replaceAll('٫', '.')
      .replaceAll('،', ',')
      .replaceAll(/[\s'’_٬]/gu, '')
  )
}

/** Replaces a fraction in one character. ½ becomes +1/2, so that 1½ is one and a half. */
function replaceFractionCharacters(text: string): string {
  return text.replaceAll(
    /[¼-¾⅐-⅞↉]/gu,
    (fraction) => `+${fraction.normalize('NFKC').replace('⁄', '/')}`,
  )
}

/**
 * Joins the parts of a mixed number: '1 1/2' becomes '1+1/2'. Without this, it would be 11/2 once
 * the spaces are removed. The space in '1 234/5' separates thousands, because 234/5 is more than
 * one.
 */
function joinMixedNumber(text: string): string {
  return text.replace(
    /(\d)\s+(\d+)\s*\/\s*(\d+)/,
    (original, lastDigit: string, numerator: string, denominator: string) => {
      const isProperFraction = Number(numerator) < Number(denominator)
      return isProperFraction ? `${lastDigit}+${numerator}/${denominator}` : original
    },
  )
}

/** Removes a unit at the end. If the unit has a power, as in m², the learner may also type m2. */
function removeUnit(number: string, unit: string): string {
  const unitSpellings = [unit, replaceSuperscripts(unit)].map(normalizeNumber)
  const typedUnit = unitSpellings.find((spelling) => spelling !== '' && number.endsWith(spelling))

  return typedUnit === undefined ? number : number.slice(0, -typedUnit.length)
}

/** Reads a power such as 10^3, 2.5×10^3 or 2.5*10^-3. */
function parsePower(number: string): number | null {
  const match = /^([+-]?)(?:(\d+(?:[.,]\d+)?)[x×*·⋅])?(\d+)(?:\^|\*\*)([+-]?\d{1,3})$/.exec(number)
  if (!match) {
    return null
  }

  const [, sign, factor = '1', base, exponent] = match
  const value = Number(factor.replace(',', '.')) * Number(base) ** Number(exponent)
  if (!Number.isFinite(value)) {
    return null
  }

  return sign === '-' ? -value : value
}

/** Reads a fraction such as 1/2 or -3/4, or a mixed number such as 1+1/2. */
function parseFraction(number: string): number | null {
  const match = /^([+-]?)(?:(\d+)\+|\+)?(\d+)\/(\d+)$/.exec(number)
  if (!match) {
    return null
  }

  const [, sign, whole = '0', numerator, denominator] = match
  if (Number(denominator) === 0) {
    return null
  }

  const value = Number(whole) + Number(numerator) / Number(denominator)
  return sign === '-' ? -value : value
}

/**
 * Returns the decimals that a text can mean, with a point before the decimal places and nothing
 * between thousands. A text that is not a number is returned as it is.
 */
function listDecimals(number: string): string[] {
  const numberWithDecimalPoint = number.replace(',', '.')

  // 1,234
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(number)) {
    return [number.replace(',', ''), numberWithDecimalPoint]
  }

  // 1.234
  if (/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(number)) {
    return [number, number.replace('.', '')]
  }

  // 1,234,567.8 and, as in India, 12,34,567.8
  if (/^[+-]?[1-9]\d{0,2}(,\d{2,3})*,\d{3}(\.\d+)?$/.test(number)) {
    return [number.replaceAll(',', '')]
  }

  // 1.234,8 and 1.234.567
  const hasPointsBetweenThousands =
    /^[+-]?[1-9]\d{0,2}(\.\d{3})+,\d+$/.test(number) ||
    /^[+-]?[1-9]\d{0,2}(\.\d{3}){2,}$/.test(number)
  if (hasPointsBetweenThousands) {
    return [number.replaceAll('.', '').replace(',', '.')]
  }

  // 12,5
  const hasDecimalComma = /^[+-]?\d*,\d+$/.test(number)
  return [hasDecimalComma ? numberWithDecimalPoint : number]
}

/** Returns whether the text is a number such as -12.5, .5, 7. or 1e-3. */
function isDecimal(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/.test(text)
}

/** Returns a typed answer, followed by its unit if it has one that the learner did not type. */
export function addUnit(typedAnswer: string, unit: string | null): string {
  return unit !== null && !typedAnswer.includes(unit) ? `${typedAnswer} ${unit}` : typedAnswer
}
