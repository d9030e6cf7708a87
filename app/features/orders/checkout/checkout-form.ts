import * as z from 'zod'
import { cleanCode } from '~/ui/form/clean-text'
import { giftForm } from '../gifts/gift'

const optionalLine = (maxLength: number) =>
  z.string().trim().max(maxLength, `At most ${maxLength} characters, please.`).default('')

/** The choice of a learner whose country has no tax rate of its own. */
export const otherCountry = 'other'

export const countryMissingError = 'Please choose a country.'

/**
 * What the receipt says about the buyer. The account adds name and email address.
 *
 * @param countries the countries to choose from; empty if the tax does not depend on the country
 */
export function buyerForm(countries: readonly string[]) {
  return z.object({
    company: optionalLine(200),
    address: optionalLine(500),
    vatNumber: optionalLine(50),
    country: countries.length === 0 ? noCountry : chosenCountry(countries),
  })
}

/** Without a choice, the receipt names no country. */
const noCountry = z
  .string()
  .optional()
  .transform(() => undefined)

/**
 * The country is empty for `otherCountry`, and null if none is chosen, which is allowed for free
 * orders only.
 */
const chosenCountry = (countries: readonly string[]) =>
  z
    .enum(['', otherCountry, ...countries], countryMissingError)
    .default('')
    .transform((country): string | null => {
      if (country === '') {
        return null
      }

      return country === otherCountry ? '' : country
    })

/** The price that the page displayed when the form was sent. */
export type DisplayedPrice = {
  totalMinor: number
  /** Is null for a form without a currency. */
  currency: string | null
}

const buyForm = z.object({
  coupon: z.string().catch('').transform(cleanCode),
  /** The code of a coupon that, as the page has told the learner, lowers nothing. */
  refusedCoupon: z.string().nullable().catch(null),
  total: z.string().regex(/^\d+$/).transform(Number).nullable().catch(null),
  currency: z.string().nullable().catch(null),
  /** The text beside the box about the right of withdrawal, if the box was ticked. */
  waiver: z.string().nullable().catch(null),
  gift: z.literal('on').optional().catch(undefined),
})

export type CheckoutSubmission = {
  buyer: z.infer<ReturnType<typeof buyerForm>>
  gift: z.infer<typeof giftForm> | null
  /** The normalized code, or null for no coupon. */
  couponCode: string | null
  /** The page has displayed the full price, because this coupon lowers nothing. */
  wasCouponRefusedOnPage: boolean
  displayedPrice: DisplayedPrice | null
  waiver: string | null
}

type ParsedForm =
  | { success: true; data: CheckoutSubmission }
  | { success: false; error: z.ZodError }

/** Parses the form with which a learner pays. */
export function parseCheckoutForm(form: FormData, countries: readonly string[]): ParsedForm {
  const fields = Object.fromEntries(form)
  const buyer = buyerForm(countries).safeParse(fields)
  if (!buyer.success) {
    return buyer
  }

  const { coupon, refusedCoupon, total, currency, waiver, gift } = buyForm.parse(fields)
  const recipient = gift === undefined ? null : giftForm.safeParse(fields)
  if (recipient?.success === false) {
    return recipient
  }

  return {
    success: true,
    data: {
      buyer: buyer.data,
      gift: recipient ? recipient.data : null,
      couponCode: coupon === '' ? null : coupon,
      wasCouponRefusedOnPage: coupon !== '' && coupon === refusedCoupon,
      displayedPrice: total === null ? null : { totalMinor: total, currency },
      waiver,
    },
  }
}

/**
 * The box at checkout with which a learner gives up the right of withdrawal, so that the course
 * opens at once.
 */
export type Waiver = { text: string; isRequired: boolean }

type WaiverResult = { ok: true; value: string | null } | { ok: false; problem: string }

/**
 * Checks the box about the right of withdrawal.
 *
 * @param waiver null if checkout shows no box
 * @param agreedText the text beside the box as the learner saw it, or null for an empty box
 * @returns the text that the learner agreed to, or null if the learner keeps the right
 */
export function checkWaiver(waiver: Waiver | null, agreedText: string | null): WaiverResult {
  if (waiver === null) {
    return { ok: true, value: null }
  }

  if (agreedText === null && waiver.isRequired) {
    return { ok: false, problem: 'Please tick this box to go on.' }
  }

  if (agreedText !== null && agreedText !== waiver.text) {
    return { ok: false, problem: 'This text has changed. Please read it again.' }
  }

  return { ok: true, value: agreedText }
}
