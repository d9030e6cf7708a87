import { type ReactNode, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { Button, ButtonLink } from '~/ui/button'
import { TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { formatDate, formatDateTime } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { maxRefundReasonLength } from './refund-options'
import type { RefundView } from './refund-request-queries.server'
import {
  declinedTitle,
  giftIntros,
  reasonLabel,
  refundNotPossible,
  refundPageTexts,
  refundTitles,
  requestStateTexts,
} from './refund-texts'

type RefundPageProps = {
  view: RefundView
  timeZone: string
  result: FormResult | undefined
  /** Already in the statement that a mailed link confirms. */
  asksReason?: boolean
  /** Where to go on; for a signed-in learner, the purchases. */
  way?: ReactNode
}

/**
 * The second step of a withdrawal or a request for a refund: what it is about, and one button. Then
 * what became of it.
 */
export function ConfirmRefundPage({
  view,
  timeZone,
  result,
  asksReason = view.kind === 'refund',
  way,
}: RefundPageProps) {
  const { kind, request, lastDay } = view
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(request !== null, title)
  const onward = way ?? (
    <ButtonLink to="/Profile/purchases" variant="secondary">
      Your purchases
    </ButtonLink>
  )

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <h1 ref={title} tabIndex={-1} className="title outline-none">
        {headingOf(view)}
      </h1>
      <OrderFacts order={view.order} timeZone={timeZone} />
      {request && (
        <div className="grid gap-5">
          <RequestNotice kind={kind} request={request} timeZone={timeZone} />
          <p>{onward}</p>
        </div>
      )}
      {!request && lastDay && (
        <AskForm {...{ kind, lastDay, timeZone, result, asksReason, gift: view.gift }} />
      )}
      {!request && !lastDay && (
        <div className="grid gap-5">
          <Notice variant="info">{refundNotPossible}</Notice>
          <p>{onward}</p>
        </div>
      )}
    </div>
  )
}

function headingOf({ kind, request }: RefundView): string {
  if (!request) {
    return refundTitles[kind]
  }

  return request.state === 'declined' ? declinedTitle : refundPageTexts[kind].done
}

type RequestNoticeProps = {
  kind: RefundView['kind']
  request: NonNullable<RefundView['request']>
  timeZone: string
}

function RequestNotice({ kind, request, timeZone }: RequestNoticeProps) {
  const { state, at, answer } = request
  if (state === 'declined') {
    return <Notice variant="warn">{answer}</Notice>
  }

  const isBack = kind === 'refund' && state === 'granted'

  return (
    <Notice variant="good">
      {isBack
        ? requestStateTexts.granted(formatDate(at, timeZone))
        : refundPageTexts[kind].doneAt(formatDateTime(at, timeZone))}
    </Notice>
  )
}

type AskFormProps = Pick<RefundPageProps, 'timeZone' | 'result' | 'asksReason'> & {
  kind: RefundView['kind']
  lastDay: string
  gift: RefundView['gift']
}

function AskForm({ kind, lastDay, timeZone, result, asksReason, gift }: AskFormProps) {
  const texts = refundPageTexts[kind]
  const errors = getFieldErrors(result)
  const submittedValues = result?.done === false ? result.submittedValues : undefined
  const isBusy = useNavigation().formMethod !== undefined

  return (
    <Form method="post" className="grid gap-5">
      {errors.form && <Notice variant="bad">{errors.form}</Notice>}
      <p>{gift ? giftIntros[kind][gift] : texts.intro}</p>
      {asksReason && (
        <TextAreaField
          label={reasonLabel}
          name="reason"
          dir="auto"
          maxLength={maxRefundReasonLength}
          defaultValue={submittedValues?.reason}
          error={errors.reason}
        />
      )}
      <p className="text-muted">{texts.until(formatDate(lastDay, timeZone))}</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy}>
          {texts.button}
        </Button>
        <ButtonLink to="/Profile/purchases" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}

function OrderFacts({ order, timeZone }: { order: RefundView['order']; timeZone: string }) {
  const facts = [
    ['Course', order.courseTitle],
    ['Order', order.id],
    ['Ordered', formatDate(order.orderedAt, timeZone)],
    ['Price', formatMoney(order.totalMinor, order.currency)],
  ] as const

  return (
    <dl className="card my-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 p-5 sm:p-6">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
