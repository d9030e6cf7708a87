import { useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { Field, TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import { maxOrderNumberLength, maxRefundReasonLength, type RefundKind } from './refund-options'
import { refundReasonLabel, requestRefundTexts } from './refund-texts'

type RequestRefundPageProps = {
  /** The kinds of request that the school offers: a withdrawal, a goodwill refund or both. */
  offeredKinds: RefundKind[]
  /** Whether the visitor has opened a link that is wrong or has expired. */
  isLinkInvalid: boolean
  /** The seller's name and postal address, as on receipts. */
  seller: string
  result: FormResult | undefined
}

/**
 * The page on which somebody who is not signed in asks for their money back: a form or, after the
 * form was sent, a notice.
 */
export function RequestRefundPage({
  offeredKinds,
  isLinkInvalid,
  seller,
  result,
}: RequestRefundPageProps) {
  const titleRef = useRef<HTMLHeadingElement>(null)
  const isSent = result?.done === true
  // The form disappears after it was sent, and with it the focus.
  useFocusOnChange(isSent, titleRef)

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <h1 ref={titleRef} tabIndex={-1} className="title mb-6 outline-none">
        {requestRefundTexts.title}
      </h1>
      {isSent ? (
        <Notice variant="good">{requestRefundTexts.sent}</Notice>
      ) : (
        <RequestForm
          offeredKinds={offeredKinds}
          isLinkInvalid={isLinkInvalid}
          seller={seller}
          result={result}
        />
      )}
    </div>
  )
}

function RequestForm({ offeredKinds, isLinkInvalid, seller, result }: RequestRefundPageProps) {
  const errors = getFieldErrors(result)
  const submittedValues = result?.done === false ? result.submittedValues : undefined
  const isBusy = useNavigation().formMethod !== undefined
  const problem =
    errors.form ?? (isLinkInvalid && !result ? requestRefundTexts.linkExpired : undefined)

  return (
    <Form method="post" action="/Refund" className="grid gap-5">
      {problem && <Notice variant="bad">{problem}</Notice>}
      <p className="text-muted">
        {requestRefundTexts.intro}{' '}
        <Link to="/Profile/purchases" className="link">
          Or sign in and open your purchases.
        </Link>
      </p>
      <fieldset>
        <legend className="mb-1.5 font-medium">What would you like to do?</legend>
        {offeredKinds.map((kind, index) => (
          <label key={kind} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={submittedValues?.kind ? submittedValues.kind === kind : index === 0}
              className="size-5 shrink-0 accent-accent"
            />
            {requestRefundTexts.choices[kind]}
          </label>
        ))}
      </fieldset>
      <Field
        label="Order number"
        name="order"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxOrderNumberLength}
        required
        defaultValue={submittedValues?.order}
        error={errors.order}
      />
      <Field
        label="Email address of the order"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={submittedValues?.email}
        error={errors.email}
      />
      <TextAreaField
        label={refundReasonLabel}
        name="reason"
        dir="auto"
        maxLength={maxRefundReasonLength}
        defaultValue={submittedValues?.reason}
        error={errors.reason}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy}>
          Continue
        </Button>
        <ButtonLink to="/" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
      <p className="border-line border-t pt-5 text-muted [overflow-wrap:anywhere]">
        {requestRefundTexts.afterAccountDeletion} {seller}
      </p>
    </Form>
  )
}
