import { Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { CourseCover } from '~/features/catalog/course-card'
import { formatMoney } from '~/features/school/money'
import { Button } from '~/ui/button'
import { cleanCode } from '~/ui/form/clean-text'
import { type FieldErrors, type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import type { AppliedCoupon } from '../coupons/coupon'
import type { Gift } from '../gifts/gift'
import { checkoutTexts } from '../order-texts'
import { formatTaxRate, getContainedTax } from '../receipts/tax'
import { BuyerFields, CouponField, GiftFields } from './checkout-fields'
import { otherCountry, type Waiver } from './checkout-form'

/** A course for sale, with everything that checkout says about it. */
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
  /**
   * The countries with a tax rate of their own; empty if the tax does not depend on the country.
   */
  countries: { code: string; basisPoints: number }[]
  /** The tax rate of all other countries. */
  otherCountriesBasisPoints: number
  hasCoupons: boolean
  waiver: Waiver | null
}

/** What a course costs a learner, with or without a coupon. */
export type CheckoutPrice = {
  /** The price without the coupon. */
  priceMinor: number
  /** The code as the learner submitted it or as a link carries it; empty for no coupon. */
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
  /** Whether the learner has come back from the payment page without paying. */
  isCanceled: boolean
  price: CheckoutPrice
  /** What the learner has entered before, or the initial values. */
  gift: Gift
  isGift: boolean
  /** Whether the learner has the course already, so that it can only be bought as a gift. */
  isOnlyGift: boolean
  result: CheckoutResult | undefined
}

/** Returns the query of the checkout URL with a coupon's code. */
export function checkoutSearch(code: string, isGift: boolean): string {
  return `?${new URLSearchParams({ coupon: code, ...(isGift && { gift: '1' }) })}`
}

/** Shows what is bought and what it costs, with one button that leads to the payment provider. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { offer, email, isCanceled, isGift, isOnlyGift, result } = props
  const errors = getFieldErrors(result)
  const submittedValues = getInitialValues(props)
  const price = toDisplayedPrice(props, submittedValues.coupon)
  const [country, setCountry] = useState(findCountry(offer, submittedValues.country))
  const needsCountry = offer.countries.length > 0 && price.totalMinor > 0
  useEffect(reloadWhenRestored, [])

  return (
    <div className="column grid gap-8 pt-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pt-12">
      <div>
        <h1 className="mb-6 font-bold text-3xl tracking-tight">{checkoutTexts.title}</h1>
        {isCanceled && !errors.form && (
          <Notice variant="info" className="mb-6">
            {checkoutTexts.paymentCanceled}
          </Notice>
        )}
        {errors.form && (
          <Notice variant="bad" className="mb-6">
            {errors.form}
          </Notice>
        )}
        <Form
          method="post"
          action={price.code === '' ? undefined : checkoutSearch(price.code, isGift)}
          id="checkout"
          preventScrollReset
          className="card grid gap-5 p-5 sm:p-6"
        >
          <GiftFields submittedValues={submittedValues} errors={errors} isOnlyGift={isOnlyGift} />
          <div>
            <h2 className="font-bold text-lg">Your receipt</h2>
            <p className="mt-1 text-muted [overflow-wrap:anywhere]">It goes to {email}.</p>
          </div>
          <input type="hidden" name="total" value={price.totalMinor} />
          <input type="hidden" name="currency" value={offer.currency} />
          <BuyerFields
            countries={needsCountry ? offer.countries : []}
            country={country}
            onCountryChange={setCountry}
            submittedValues={submittedValues}
            errors={errors}
          />
        </Form>
      </div>
      <OrderSummary
        offer={offer}
        price={price}
        country={country}
        isGift={isGift}
        tickedWaiverText={submittedValues.waiver}
        errors={errors}
      />
    </div>
  )
}

type FieldValues = Record<string, string | undefined>

/**
 * Returns what the learner has just submitted or, on the first visit, entered at an earlier one.
 */
function getInitialValues({ result, gift, buyer, isGift }: CheckoutPageProps): FieldValues {
  return result?.submittedValues ?? { ...gift, ...buyer, ...(isGift && { gift: 'on' }) }
}

type DisplayedPrice = CheckoutPrice & {
  totalMinor: number
  /** The code in the coupon's field. */
  enteredCode: string
}

function toDisplayedPrice(
  { result, price: loadedPrice }: CheckoutPageProps,
  submittedCode: string | undefined,
): DisplayedPrice {
  const price = result?.price ?? loadedPrice
  const problem = getFieldErrors(result).coupon ?? price.problem
  const coupon = problem ? null : price.coupon

  return {
    ...price,
    problem,
    coupon,
    totalMinor: coupon ? coupon.totalMinor : price.priceMinor,
    enteredCode: cleanCode(submittedCode ?? price.code),
  }
}

/** Returns the choice in the list of countries; empty if nothing on the list was chosen before. */
function findCountry({ countries }: CheckoutOffer, country: string | undefined): string {
  const choices = [...countries.map(({ code }) => code), otherCountry]
  return country !== undefined && choices.includes(country) ? country : ''
}

/**
 * The back button may restore the page as it was when it led to the payment page. The order may be
 * paid in the meantime, so the page is loaded again.
 */
function reloadWhenRestored() {
  const reload = (event: PageTransitionEvent) => event.persisted && window.location.reload()
  window.addEventListener('pageshow', reload)
  return () => window.removeEventListener('pageshow', reload)
}

type OrderSummaryProps = {
  offer: CheckoutOffer
  price: DisplayedPrice
  country: string
  isGift: boolean
  /** The text beside the box that the learner has ticked, which may have changed since. */
  tickedWaiverText: string | undefined
  errors: FieldErrors
}

/** Shows the course with its price, the coupon, and the button that submits the form. */
function OrderSummary({
  offer,
  price,
  country,
  isGift,
  tickedWaiverText,
  errors,
}: OrderSummaryProps) {
  const { course, currency, seller, waiver } = offer
  const { priceMinor, totalMinor, coupon, problem, enteredCode } = price
  const isFree = totalMinor === 0

  return (
    <aside aria-label="Your order" className="card self-start overflow-hidden lg:sticky lg:top-24">
      <div className="flex items-center gap-4 p-5 pb-0 sm:p-6 sm:pb-0 lg:block lg:p-0">
        <div className="aspect-video w-28 shrink-0 overflow-hidden rounded-control lg:w-auto lg:rounded-none">
          <CourseCover courseId={course.id} isEager sizes="(min-width: 64rem) 24rem, 7rem" />
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
        <Prices offer={offer} priceMinor={priceMinor} totalMinor={totalMinor} country={country} />
        {(offer.hasCoupons || enteredCode !== '') && (
          <CouponField
            formId="checkout"
            coupon={coupon}
            discountMinor={priceMinor - totalMinor}
            currency={currency}
            code={enteredCode}
            problem={problem}
            urlWithoutCoupon={checkoutSearch('', isGift)}
          />
        )}
        {waiver && !isFree && (
          <WaiverBox
            // A learner has to tick the box again after its text has changed.
            key={waiver.text}
            waiver={waiver}
            isTicked={tickedWaiverText === waiver.text}
            error={errors.waiver}
          />
        )}
        <PayButton
          text={isFree ? checkoutTexts.enrollForFree : `Pay ${formatMoney(totalMinor, currency)}`}
        />
        <p className="mt-3 text-muted text-sm">
          {isFree ? checkoutTexts.nothingToPay : checkoutTexts.paidAtProvider} Sold by {seller}.{' '}
          <Link to="/Terms" className="link">
            Terms
          </Link>
        </p>
      </div>
    </aside>
  )
}

function PayButton({ text }: { text: string }) {
  const { state, formData } = useNavigation()
  const isBusy = state !== 'idle'
  // The button beside the coupon's field submits the same form with an intent.
  const isPaying = isBusy && formData?.get('intent') === null

  return (
    <Button type="submit" form="checkout" disabled={isBusy} className="mt-5 w-full">
      {isPaying ? (
        'One moment…'
      ) : (
        <>
          <Lock aria-hidden="true" size={18} /> {text}
        </>
      )}
    </Button>
  )
}

type PricesProps = { offer: CheckoutOffer; priceMinor: number; totalMinor: number; country: string }

/**
 * Lists how the total comes about. Lines about a sale, a coupon or a tax appear only if they apply.
 */
function Prices({ offer, priceMinor, totalMinor, country }: PricesProps) {
  const { course, currency } = offer
  // A payment page that is still open keeps an earlier price, to which today's sale doesn't apply.
  const fullPriceMinor =
    priceMinor === course.priceMinor ? Math.max(course.fullPriceMinor, priceMinor) : priceMinor
  const saleDiscountMinor = fullPriceMinor - priceMinor
  const couponDiscountMinor = priceMinor - totalMinor
  const taxBasisPoints = getTaxBasisPoints(offer, country)

  return (
    <dl className="mt-5 grid gap-2 border-line border-t pt-4">
      {fullPriceMinor > totalMinor && (
        <PriceLine label="Price" text={formatMoney(fullPriceMinor, currency)} />
      )}
      {saleDiscountMinor > 0 && (
        <PriceLine
          label={getSaleLabel(course.priceUntil)}
          text={`−${formatMoney(saleDiscountMinor, currency)}`}
        />
      )}
      {saleDiscountMinor > 0 && course.lowestPriceMinor !== null && (
        <PriceLine
          label="Lowest price of the last 30 days"
          text={formatMoney(course.lowestPriceMinor, currency)}
        />
      )}
      {couponDiscountMinor > 0 && (
        <PriceLine label="Coupon" text={`−${formatMoney(couponDiscountMinor, currency)}`} />
      )}
      <PriceLine label="Total" text={formatMoney(totalMinor, currency)} isStrong />
      {taxBasisPoints > 0 && totalMinor > 0 && (
        <PriceLine
          label={`Includes ${formatTaxRate(taxBasisPoints)} tax`}
          text={formatMoney(getContainedTax(totalMinor, taxBasisPoints), currency)}
        />
      )}
    </dl>
  )
}

/** Returns 0 until the learner has chosen a country on which the tax depends. */
function getTaxBasisPoints(
  { countries, otherCountriesBasisPoints }: CheckoutOffer,
  country: string,
): number {
  if (countries.length > 0 && country === '') {
    return 0
  }

  return countries.find(({ code }) => code === country)?.basisPoints ?? otherCountriesBasisPoints
}

function getSaleLabel(lastDay: string | null): string {
  return lastDay ? `Discount until ${formatDate(lastDay, 'UTC')}` : 'Discount'
}

type PriceLineProps = { label: string; text: string; isStrong?: boolean }

function PriceLine({ label, text, isStrong = false }: PriceLineProps) {
  return (
    <div className={`flex justify-between gap-4 ${isStrong ? 'font-bold text-lg' : 'text-muted'}`}>
      <dt>{label}</dt>
      <dd className="whitespace-nowrap">{text}</dd>
    </div>
  )
}

type WaiverBoxProps = { waiver: Waiver; isTicked: boolean; error: string | undefined }

/** The box by which the learner gives up the right of withdrawal. */
function WaiverBox({ waiver, isTicked, error }: WaiverBoxProps) {
  return (
    <div className="mt-5">
      <label className="flex items-start gap-3 [overflow-wrap:anywhere]">
        <input
          type="checkbox"
          name="waiver"
          form="checkout"
          value={waiver.text}
          required={waiver.isRequired}
          defaultChecked={isTicked}
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
