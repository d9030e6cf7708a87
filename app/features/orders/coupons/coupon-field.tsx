import { ChevronDown, Ticket } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { Button } from '~/ui/button'
import { Field } from '~/ui/form/field'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import type { AppliedCoupon } from './coupon'

type CouponFieldProps = {
  /** Of the form that it belongs to. */
  formId: string
  coupon: AppliedCoupon | null
  /** What the coupon takes off, in the currency's smallest unit. */
  discountMinor: number
  currency: string
  /** As typed. */
  code: string
  problem: string | null
  /** Where to go to pay without the coupon. */
  withoutIt: string
}

/** A code's field with its own button; below a code that counts, the way to pay without it. */
export function CouponField({
  formId,
  coupon,
  discountMinor,
  currency,
  code,
  problem,
  withoutIt,
}: CouponFieldProps) {
  const target = useRef<HTMLElement>(null)
  // What was focused is gone after each answer.
  useFocusOnChange(`${coupon?.code} ${problem}`, target, { onlyIfLost: true, preventScroll: true })
  if (coupon) {
    return (
      <div
        ref={target as RefObject<HTMLDivElement>}
        tabIndex={-1}
        className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-good-soft px-4 py-2"
        role="status"
      >
        <input type="hidden" name="coupon" value={coupon.code} form={formId} />
        <p className="flex min-w-0 flex-1 items-center gap-2 font-medium text-good [overflow-wrap:anywhere]">
          <Ticket aria-hidden="true" size={18} className="shrink-0" />
          {`Coupon ${coupon.code} takes off ${formatMoney(discountMinor, currency)}.`}
        </p>
        <Link
          to={withoutIt}
          replace
          preventScrollReset
          className="link inline-flex min-h-11 items-center"
        >
          Remove<span className="sr-only"> the coupon</span>
        </Link>
      </div>
    )
  }

  return (
    <details open={problem !== null} className="group mt-3">
      <summary
        ref={problem ? undefined : target}
        className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold"
      >
        Add a coupon
        <ChevronDown aria-hidden="true" size={18} className="text-muted group-open:rotate-180" />
      </summary>
      <div className="mt-1 flex items-start gap-3">
        <Field
          ref={problem ? (target as RefObject<HTMLInputElement>) : undefined}
          // Another code, as of a link that was opened in this tab.
          key={code}
          className="min-w-0 flex-1"
          label="Coupon code"
          name="coupon"
          form={formId}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          defaultValue={code}
          error={problem ?? undefined}
        />
        <Button
          type="submit"
          form={formId}
          name="intent"
          value="coupon"
          formNoValidate
          variant="secondary"
          className="mt-[calc(1lh+0.375rem)] min-h-12"
        >
          Apply
        </Button>
      </div>
      {problem && <input type="hidden" name="refusedCoupon" value={code} form={formId} />}
    </details>
  )
}
