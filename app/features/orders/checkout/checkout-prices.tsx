import { formatMoney } from '~/features/school/money'
import { formatDate } from '~/ui/format-date'
import { containedTax, formatTaxRate } from '../receipts/tax'
import type { CheckoutOffer } from './checkout-page'

type PricesProps = { offer: CheckoutOffer; priceMinor: number; totalMinor: number; country: string }

export function Prices({ offer, priceMinor, totalMinor, country }: PricesProps) {
  const { course, currency, countries, otherBasisPoints } = offer
  const isUnknown = countries.length > 0 && country === ''
  const basisPoints = isUnknown
    ? 0
    : (countries.find(({ code }) => code === country)?.basisPoints ?? otherBasisPoints)
  // A payment page that is still open keeps an earlier price, to which today's reduction doesn't
  // apply.
  const fullPriceMinor =
    priceMinor === course.priceMinor ? Math.max(course.fullPriceMinor, priceMinor) : priceMinor
  const reduction = fullPriceMinor - priceMinor
  const couponMinor = priceMinor - totalMinor

  return (
    <dl className="mt-5 grid gap-2 border-line border-t pt-4">
      {fullPriceMinor > totalMinor && (
        <PriceLine label="Price" text={formatMoney(fullPriceMinor, currency)} />
      )}
      {reduction > 0 && (
        <PriceLine
          label={discountLabel(course.priceUntil)}
          text={`−${formatMoney(reduction, currency)}`}
        />
      )}
      {reduction > 0 && course.lowestPriceMinor !== null && (
        <PriceLine
          label="Lowest price of the last 30 days"
          text={formatMoney(course.lowestPriceMinor, currency)}
        />
      )}
      {couponMinor > 0 && (
        <PriceLine label="Coupon" text={`−${formatMoney(couponMinor, currency)}`} />
      )}
      <PriceLine label="Total" text={formatMoney(totalMinor, currency)} strong />
      {basisPoints > 0 && (
        <PriceLine
          label={`Includes ${formatTaxRate(basisPoints)} tax`}
          text={formatMoney(containedTax(totalMinor, basisPoints), currency)}
        />
      )}
    </dl>
  )
}

const discountLabel = (until: string | null) =>
  until ? `Discount until ${formatDate(until, 'UTC')}` : 'Discount'

function PriceLine({
  label,
  text,
  strong = false,
}: {
  label: string
  text: string
  strong?: boolean
}) {
  return (
    <div className={`flex justify-between gap-4 ${strong ? 'font-bold text-lg' : 'text-muted'}`}>
      <dt>{label}</dt>
      <dd className="whitespace-nowrap">{text}</dd>
    </div>
  )
}
