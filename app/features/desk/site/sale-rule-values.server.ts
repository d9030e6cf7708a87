/** Reads the rules of sale from their forms. A wrong value fails with a sentence for its field. */
import { findCountry, formatCountry } from '~/features/orders/receipts/countries'
import { parsePercent, type TaxRates } from '~/features/orders/receipts/tax'
import { failure, type Result, success } from '~/server/result'
import { maxRefundPeriodDays, maxWaiverLength, parseSiteValue } from '~/server/site/site-values'
import { cleanText } from '~/ui/form/clean-text'
import { formatNumber } from '~/ui/format-count'
import { readText } from '../desk-form.server'

type Request = { form: FormData }

const percentProblem = 'Write a percentage below 100, like 19 or 7.7.'

/** Reads a rate from each row that is not empty, and the rate of all other countries. */
export function readTaxRates(request: Request): Result<TaxRates | null> {
  const rates: Record<string, number> = {}

  for (const { index, country, percent } of listRows(request)) {
    const code = findCountry(country)
    if (code === null) {
      const problem = 'Write the name or code of a country, like Germany or DE.'
      return failure(problem, `country-${index}`)
    }

    if (Object.hasOwn(rates, code)) {
      return failure(`${formatCountry(code)} has a rate already.`, `country-${index}`)
    }

    const basisPoints = parsePercent(percent)
    if (basisPoints === null) {
      return failure(percentProblem, `percent-${index}`)
    }

    rates[code] = basisPoints
  }

  const otherPercent = readText(request, 'otherPercent')
  if (otherPercent !== '') {
    const basisPoints = parsePercent(otherPercent)
    if (basisPoints === null) {
      return failure(percentProblem, 'otherPercent')
    }

    rates['*'] = basisPoints
  }

  return success(Object.keys(rates).length > 0 ? rates : null)
}

const maxRows = 300

function listRows(request: Request) {
  const rows: { index: number; country: string; percent: string }[] = []
  for (let index = 0; index < maxRows && request.form.has(`country-${index}`); index += 1) {
    const country = readText(request, `country-${index}`)
    const percent = readText(request, `percent-${index}`)
    if (country !== '' || percent !== '') {
      rows.push({ index, country, percent })
    }
  }

  return rows
}

/** Reads the number of days in which buyers can get their money back. */
export function readRefundPeriod(request: Request): Result<number> {
  const text = cleanText(readText(request, 'days'))
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days > maxRefundPeriodDays) {
    return failure(
      `Write a whole number of days from 0 to ${formatNumber(maxRefundPeriodDays)}.`,
      'days',
    )
  }

  return success(days)
}

/** Reads the choice about the box at checkout, and the text beside the box. */
export function readWaiver(request: Request): Result<unknown> {
  const choice = readText(request, 'choice')
  // Browsers send line breaks in another form, so the text of the box would seem to have changed.
  const text = readText(request, 'text').replaceAll(/\s+/g, ' ')
  if (parseSiteValue('waiver', { choice: 'off', text }) === null) {
    return failure(
      `Write the text beside the box, at most ${formatNumber(maxWaiverLength)} characters.`,
      'text',
    )
  }

  return success({ choice, text })
}
