import { Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { CourseCover } from '~/features/catalog/course-card'
import { formatMoney } from '~/features/school/money'
import { Button } from '~/ui/button'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { type AppliedCoupon, normalizeCode } from '../coupons/coupon'
import { CouponField } from '../coupons/coupon-field'
import type { Gift } from '../gifts/gift'
import { GiftFields } from '../gifts/gift-fields'
import {
  agreeToPay,
  checkoutTitle,
  enrollFree,
  nothingToPay,
  paymentCanceled,
} from '../order-texts'
import { BuyerFields } from './buyer-fields'
import { otherCountry } from './checkout-form'
import { Prices } from './checkout-prices'
import type { Waiver } from './withdrawal-waiver'

export type CheckoutOffer = {
  course: {
    id: string
    title: string
    instructorName: string
    priceMinor: number
    /** The price without a sale. Equal to `priceMinor` if there is no sale. */
    fullPriceMinor: number
    /** The last day of a sale, if it has one. */
    priceUntil: string | null
    /** The lowest price of the 30 days before the sale, or null if it isn't displayed or known. */
    lowestPriceMinor: number | null
  }
  currency: string
  seller: string
  /** The countries with a tax rate of their own; empty if the tax does not depend on the country. */
  countries: { code: string; basisPoints: number }[]
  /** The tax rate of all other countries. */
  otherBasisPoints: number
  hasCoupons: boolean
  waiver: Waiver | null
}

/** What a course costs a learner, with or without a coupon. */
export type CheckoutPrice = {
  /** The price without the coupon. */
  priceMinor: number
  /** The code as it was typed or as a link carries it; empty for no coupon. */
  code: string
  coupon: AppliedCoupon | null
  /** A sentence that says why the coupon lowers nothing. */
  problem: string | null
}

/**
 * The response to a form has a price of its own if a coupon was applied without a script, or if the
 * price has changed. It may differ from the page's price, because a gift has its own open order.
 */
type CheckoutResult = FormResult<{ submittedValues: Record<string, string> }> & {
  price?: CheckoutPrice
}

type CheckoutPageProps = {
  offer: CheckoutOffer
  email: string
  /** What the learner has entered for an earlier receipt. */
  buyer: { company?: string; address?: string; vatNumber?: string; country?: string } | null
  /** The learner has come back from the payment page without paying. */
  isCanceled: boolean
  price: CheckoutPrice
  /** What the learner has entered before, or the initial values. */
  gift: Gift
  isGift: boolean
  /** The learner has the course, so that it can only be bought as a gift. */
  isOnlyGift: boolean
  result: CheckoutResult | undefined
}

/** Returns the query of the checkout URL with a coupon's code. */
export function checkoutSearch(code: string, isGift: boolean): string {
  return `?${new URLSearchParams({ coupon: code, ...(isGift && { gift: '1' }) })}`
}

/** Shows what is bought and what it costs, with one button that leads to the payment provider. */
export function CheckoutPage({
  offer,
  email,
  buyer,
  isCanceled,
  result,
  ...loaded
}: CheckoutPageProps) {
  const { course, currency, seller } = offer
  const errors = getFieldErrors(result)
  const submittedValues: Record<string, string | undefined> = result?.submittedValues ?? {
    ...loaded.gift,
    ...buyer,
    ...(loaded.isGift && { gift: 'on' }),
  }
  const price = result?.price ?? loaded.price
  const problem = errors.coupon ?? price.problem
  const coupon = problem ? null : price.coupon
  const code = normalizeCode(submittedValues.coupon ?? price.code)
  const totalMinor = coupon ? coupon.totalMinor : price.priceMinor
  const choices = [...offer.countries.map(({ code }) => code), otherCountry]
  const [country, setCountry] = useState(
    choices.find((choice) => choice === submittedValues.country) ?? '',
  )
  const asksCountry = offer.countries.length > 0 && totalMinor > 0
  const { state, formData } = useNavigation()
  const isBusy = state !== 'idle'
  const isPaying = isBusy && formData?.get('intent') === null
  useEffect(reloadWhenBack, [])

  return (
    <div className="column grid gap-8 pt-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pt-12">
      <div>
        <h1 className="mb-6 font-bold text-3xl tracking-tight">{checkoutTitle}</h1>
        {isCanceled && !errors.form && (
          <Notice variant="info" className="mb-6">
            {paymentCanceled}
          </Notice>
        )}
        {errors.form && (
          <Notice variant="bad" className="mb-6">
            {errors.form}
          </Notice>
        )}
        <Form
          method="post"
          action={price.code === '' ? undefined : checkoutSearch(price.code, loaded.isGift)}
          id="checkout"
          preventScrollReset
          className="card grid gap-5 p-5 sm:p-6"
        >
          <GiftFields
            submittedValues={submittedValues}
            errors={errors}
            isOnlyGift={loaded.isOnlyGift}
          />
          <div>
            <h2 className="font-bold text-lg">Your receipt</h2>
            <p className="mt-1 text-muted [overflow-wrap:anywhere]">It goes to {email}.</p>
          </div>
          <input type="hidden" name="total" value={totalMinor} />
          <input type="hidden" name="currency" value={currency} />
          <BuyerFields
            countries={asksCountry ? offer.countries : []}
            country={country}
            onCountry={setCountry}
            submittedValues={submittedValues}
            errors={errors}
          />
        </Form>
      </div>
      <aside
        aria-label="Your order"
        className="card self-start overflow-hidden lg:sticky lg:top-24"
      >
        <div className="flex items-center gap-4 p-5 pb-0 sm:p-6 sm:pb-0 lg:block lg:p-0">
          <div className="aspect-video w-28 shrink-0 overflow-hidden rounded-control lg:w-auto lg:rounded-none">
            <CourseCover courseId={course.id} eager sizes="(min-width: 64rem) 24rem, 7rem" />
          </div>
          <div className="min-w-0 [overflow-wrap:anywhere] lg:p-6 lg:pb-0">
            <p className="font-bold text-lg leading-snug">
              <Link to={`/OneCourse/${course.id}`} className="hover:underline">
                {course.title}
              </Link>
            </p>
            <p className="mt-1 text-muted">{course.instructorName}</p>
          </div>
        </div>
        <div className="p-5 pt-0 sm:p-6 sm:pt-0">
          <Prices
            offer={offer}
            priceMinor={price.priceMinor}
            totalMinor={totalMinor}
            country={country}
          />
          {(offer.hasCoupons || code !== '') && (
            <CouponField
              formId="checkout"
              coupon={coupon}
              discountMinor={price.priceMinor - totalMinor}
              currency={currency}
              code={code}
              problem={problem}
              withoutIt={checkoutSearch('', loaded.isGift)}
            />
          )}
          {offer.waiver && totalMinor > 0 && (
            <WaiverBox
              waiver={offer.waiver}
              ticked={submittedValues.waiver !== undefined}
              error={errors.waiver}
            />
          )}
          <Button type="submit" form="checkout" disabled={isBusy} className="mt-5 w-full">
            <PayLabel
              text={totalMinor === 0 ? enrollFree : `Pay ${formatMoney(totalMinor, currency)}`}
              isPaying={isPaying}
            />
          </Button>
          <p className="mt-3 text-muted text-sm">
            {totalMinor === 0 ? nothingToPay : agreeToPay} Sold by {seller}.{' '}
            <Link to="/Terms" className="link">
              Terms
            </Link>
          </p>
        </div>
      </aside>
    </div>
  )
}

function WaiverBox({
  waiver,
  ticked,
  error,
}: {
  waiver: Waiver
  ticked: boolean
  error: string | undefined
}) {
  return (
    <div className="mt-5">
      <label className="flex items-start gap-3 [overflow-wrap:anywhere]">
        <input
          type="checkbox"
          name="waiver"
          form="checkout"
          value={waiver.text}
          required={waiver.isRequired}
          defaultChecked={ticked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'waiver-error' : undefined}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        {waiver.text}
      </label>
      {error && (
        <p id="waiver-error" className="mt-1.5 font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

/**
 * Browsers restore a page that was left as it was: on its way to the payment page, and perhaps paid
 * meanwhile.
 */
function reloadWhenBack() {
  const reload = (event: PageTransitionEvent) => event.persisted && window.location.reload()
  window.addEventListener('pageshow', reload)
  return () => window.removeEventListener('pageshow', reload)
}

function PayLabel({ text, isPaying }: { text: string; isPaying: boolean }) {
  if (isPaying) {
    return 'One moment…'
  }

  return (
    <>
      <Lock aria-hidden="true" size={18} /> {text}
    </>
  )
}
