/** The groups of fields at checkout: the gift, the buyer's details, and the coupon. */
import { ChevronDown, Ticket } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { Button } from '~/ui/button'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import type { FieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import type { AppliedCoupon } from '../coupons/coupon'
import { maxGiftMessageLength, maxSenderNameLength } from '../gifts/gift'
import { formatCountry } from '../receipts/countries'
import { otherCountry } from './checkout-form'

type SubmittedValues = Readonly<Record<string, string | undefined>>

type GiftFieldsProps = {
  submittedValues: SubmittedValues
  errors: FieldErrors
  /** Whether the learner has the course already, so that it can only be bought as a gift. */
  isOnlyGift: boolean
}

/** Shows the box 'This is a gift' and, once it is ticked, the fields below it, without scripts. */
export function GiftFields({ submittedValues, errors, isOnlyGift }: GiftFieldsProps) {
  return (
    <fieldset className="group">
      <legend className="sr-only">Gift</legend>
      {isOnlyGift ? (
        <input type="hidden" name="gift" value="on" />
      ) : (
        <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            name="gift"
            defaultChecked={submittedValues.gift === 'on'}
            className="size-5 shrink-0 accent-accent"
          />
          This is a gift
        </label>
      )}
      <div
        className={
          isOnlyGift ? 'grid gap-5' : 'mt-3 hidden gap-5 group-has-[[name=gift]:checked]:grid'
        }
      >
        <Field
          label="The recipient’s email"
          name="recipientEmail"
          // The type is not 'email', because an incomplete email address would block the form after
          // the box above is cleared.
          inputMode="email"
          autoComplete="off"
          maxLength={254}
          defaultValue={submittedValues.recipientEmail}
          error={errors.recipientEmail}
          hint="They get a link by email as soon as the payment has arrived."
        />
        <Field
          label="Your name, as they read it"
          name="senderName"
          autoComplete="name"
          maxLength={maxSenderNameLength}
          defaultValue={submittedValues.senderName}
          error={errors.senderName}
        />
        <TextAreaField
          label="A few words for them (optional)"
          name="message"
          maxLength={maxGiftMessageLength}
          defaultValue={submittedValues.message}
          error={errors.message}
        />
      </div>
    </fieldset>
  )
}

type BuyerFieldsProps = {
  /** The countries to choose from; empty if the choice makes no difference. */
  countries: readonly { code: string }[]
  country: string
  onCountryChange(country: string): void
  submittedValues: SubmittedValues
  errors: FieldErrors
}

/** The buyer's details for the receipt. */
export function BuyerFields({
  countries,
  country,
  onCountryChange,
  submittedValues,
  errors,
}: BuyerFieldsProps) {
  const optionalFields = ['company', 'address', 'vatNumber']
  const hasOptionalDetails = optionalFields.some(
    (name) => Boolean(submittedValues[name]) || Boolean(errors[name]),
  )

  return (
    <>
      {countries.length > 0 && (
        <SelectField
          label="Country"
          name="country"
          required
          autoComplete="country"
          value={country}
          onChange={(event) => onCountryChange(event.target.value)}
          error={errors.country}
        >
          <option value="">Choose your country</option>
          {countries.map(({ code }) => (
            <option key={code} value={code}>
              {formatCountry(code)}
            </option>
          ))}
          <option value={otherCountry}>Another country</option>
        </SelectField>
      )}
      <details open={hasOptionalDetails} className="group">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold">
          Add a company or an address
          <ChevronDown aria-hidden="true" size={18} className="text-muted group-open:rotate-180" />
        </summary>
        <div className="mt-3 grid gap-5">
          <Field
            label="Company"
            name="company"
            autoComplete="organization"
            maxLength={200}
            defaultValue={submittedValues.company}
            error={errors.company}
          />
          <TextAreaField
            label="Address"
            name="address"
            autoComplete="street-address"
            maxLength={500}
            defaultValue={submittedValues.address}
            error={errors.address}
          />
          <Field
            label="VAT number"
            name="vatNumber"
            maxLength={50}
            defaultValue={submittedValues.vatNumber}
            error={errors.vatNumber}
          />
        </div>
      </details>
    </>
  )
}

type CouponFieldProps = {
  /** The ID of the form that the field belongs to. */
  formId: string
  coupon: AppliedCoupon | null
  /** The amount that the coupon takes off. */
  discountMinor: number
  currency: string
  /** The code as it was submitted. */
  code: string
  problem: string | null
  /** Leads to checkout without the coupon. */
  urlWithoutCoupon: string
}

/** Shows the applied coupon with a link that removes it, or a field for a code with its button. */
export function CouponField({
  formId,
  coupon,
  discountMinor,
  currency,
  code,
  problem,
  urlWithoutCoupon,
}: CouponFieldProps) {
  const focusTarget = useRef<HTMLElement>(null)
  // Each response replaces the element that had the focus.
  useFocusOnChange(`${coupon?.code} ${problem}`, focusTarget, {
    onlyIfLost: true,
    preventScroll: true,
  })

  if (coupon) {
    return (
      <div
        ref={focusTarget as RefObject<HTMLDivElement>}
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
          to={urlWithoutCoupon}
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
        ref={problem ? undefined : focusTarget}
        className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold"
      >
        Add a coupon
        <ChevronDown aria-hidden="true" size={18} className="text-muted group-open:rotate-180" />
      </summary>
      <div className="mt-1 flex items-start gap-3">
        <Field
          ref={problem ? (focusTarget as RefObject<HTMLInputElement>) : undefined}
          // A link with another code may be opened in this tab. Its code replaces this one.
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
