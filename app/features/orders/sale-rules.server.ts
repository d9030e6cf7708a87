/**
 * The rules of sale: taxes, the days in which buyers can get their money back, and the waiver of
 * the right of withdrawal.
 *
 * Owners set them at the desk, and an operator's setting overrides the desk. They change while the
 * server runs, so each function returns the rule that is in effect at the time of the call.
 */
import { env } from '~/server/env.server'
import { findSiteValue } from '~/server/site/site.server'
import type { SiteValues } from '~/server/site/site-values'
import type { Waiver } from './checkout/checkout-form'
import { sortCountries } from './receipts/countries'
import { parseTaxRates, type TaxRates } from './receipts/tax'
import type { RefundPeriods } from './refunds/refund-options'

export function currentTaxRates(): TaxRates {
  const ownerRates = findSiteValue('taxRates')
  if (ownerRates !== null) {
    return sortRates(ownerRates)
  }

  // While TAX_RATES is wrong, nothing is sold, so no tax is calculated with this empty list.
  return parseTaxRates(env.TAX_RATES) ?? {}
}

/** Orders the rates by the names of their countries, because the database stores them by code. */
function sortRates(rates: TaxRates): TaxRates {
  const { '*': otherBasisPoints, ...ratesByCountry } = rates
  const sortedRates = sortCountries(Object.keys(ratesByCountry)).map((country) => [
    country,
    rates[country],
  ])

  return {
    ...Object.fromEntries(sortedRates),
    ...(otherBasisPoints !== undefined && { '*': otherBasisPoints }),
  }
}

export function currentRefundPeriods(): RefundPeriods {
  return {
    withdrawal: findSiteValue('withdrawalDays') ?? env.WITHDRAWAL_DAYS,
    refund: findSiteValue('refundDays') ?? env.REFUND_DAYS,
  }
}

/** Returns the box at checkout, or null if checkout shows none. */
export function currentWaiver(): Waiver | null {
  const { choice, text } = currentWaiverRule()
  const canWithdraw = currentRefundPeriods().withdrawal > 0
  if (choice === 'off' || !canWithdraw) {
    return null
  }

  return { text, isRequired: choice === 'required' }
}

/** Returns what the school has chosen about the box, even if it is off. */
export function currentWaiverRule(): SiteValues['waiver'] {
  return (
    findSiteValue('waiver') ?? {
      choice: env.WITHDRAWAL_WAIVER,
      text: env.WITHDRAWAL_WAIVER_TEXT,
    }
  )
}
