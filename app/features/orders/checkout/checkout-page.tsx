import { Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { CourseCover } from '~/features/catalog/course-cover'
import { formatMoney } from '~/features/school/money'
import { Button } from '~/ui/button'
import type { FormResult } from '~/ui/form/form-result'
import { getFieldErrors } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { normalizeCode, type Quote } from '../coupons/coupon'
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
import { otherCountry } from './buyer-form'
import { Prices } from './checkout-prices'
import type { Waiver } from './withdrawal-waiver'

export type CheckoutOffer = {
  course: {
    id: string
    title: string
    instructorName: string
    priceMinor: number
    originalMinor: number
    /** The last day of the reduced price, if it has one. */
    priceUntil: string | null
    /** Of the 30 days before a reduction; null where it isn't shown or known. */
    lowestMinor: number | null
  }
  currency: string
  seller: string
  /** Where the tax differs by country: the countries to choose from, with their rates. */
  countries: { code: string; basisPoints: number }[]
  /** Of every other country. */
  otherBasisPoints: number
  hasCoupons: boolean
  waiver: Waiver | null
}

/**
 * Without scripts, a coupon's answer comes with everything that was typed. A form whose price has
 * changed is answered with the new one, which may not be that of the page: a gift has its own.
 */
type CheckoutResult = FormResult<{ submittedValues: Record<string, string> }> & { quote?: Quote }

type CheckoutPageProps = {
  offer: CheckoutOffer
  email: string
  /** As typed for an earlier receipt. */
  buyer: { company?: string; address?: string; vatNumber?: string; country?: string } | null
  canceled: boolean
  quote: Quote
  /** As typed before, or how it begins. */
  gift: Gift
  /** For a gift, and only for one: the learner has the course. */
  isGift: boolean
  isOnlyGift: boolean
  result: CheckoutResult | undefined
}

/** Of an address that carries a coupon's code, and whether it is for a gift. */
export function checkoutSearch(code: string, isGift: boolean): string {
  return `?${new URLSearchParams({ coupon: code, ...(isGift && { gift: '1' }) })}`
}

/** What is bought, what it costs, and one button that leads to the payment provider. */
export function CheckoutPage({
  offer,
  email,
  buyer,
  canceled,
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
  const quote = result?.quote ?? loaded.quote
  const problem = errors.coupon ?? quote.problem
  const coupon = problem ? null : quote.coupon
  const code = normalizeCode(submittedValues.coupon ?? quote.code)
  const totalMinor = coupon ? coupon.totalMinor : quote.priceMinor
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
        {canceled && !errors.form && (
          <Notice look="info" className="mb-6">
            {paymentCanceled}
          </Notice>
        )}
        {errors.form && (
          <Notice look="bad" className="mb-6">
            {errors.form}
          </Notice>
        )}
        <Form
          method="post"
          action={quote.code === '' ? undefined : checkoutSearch(quote.code, loaded.isGift)}
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
            priceMinor={quote.priceMinor}
            totalMinor={totalMinor}
            country={country}
          />
          {(offer.hasCoupons || code !== '') && (
            <CouponField
              formId="checkout"
              coupon={coupon}
              discountMinor={quote.priceMinor - totalMinor}
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
