import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { Button, ButtonLink } from '~/ui/button'
import { TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { formatDate, formatDateTime } from '~/ui/format-date'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import { maxRefundReasonLength } from './refund-options'
import type { RefundView } from './refund-request-queries.server'
import {
  confirmRefundTexts,
  refundNotPossible,
  refundReasonLabel,
  refundTitles,
  requestStatusTexts,
} from './refund-texts'

type ConfirmRefundPageProps = {
  view: RefundView
  timeZone: string
  result: FormResult | undefined
  /** False if the learner has given the reason already, before an email with a link was sent. */
  hasReasonField?: boolean
  /** Where the learner can go on. */
  backLink?: { to: string; label: string }
}

/**
 * The second step of a withdrawal or a request for a refund: the order, and a button that confirms
 * the request. Afterwards the page shows what became of the request.
 */
export function ConfirmRefundPage({
  view,
  timeZone,
  result,
  hasReasonField = view.kind === 'refund',
  backLink = { to: '/Profile/purchases', label: 'Your purchases' },
}: ConfirmRefundPageProps) {
  const { kind, request, lastDay, gift } = view
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(request !== null, title)

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <h1 ref={title} tabIndex={-1} className="title outline-none">
        {getHeading(view)}
      </h1>
      <OrderDetails order={view.order} timeZone={timeZone} />
      {!request && lastDay ? (
        <ConfirmForm
          kind={kind}
          gift={gift}
          lastDay={formatDate(lastDay, timeZone)}
          hasReasonField={hasReasonField}
          result={result}
        />
      ) : (
        <div className="grid gap-5">
          {request ? (
            <RequestNotice kind={kind} request={request} timeZone={timeZone} />
          ) : (
            <Notice variant="info">{refundNotPossible}</Notice>
          )}
          <p>
            <ButtonLink to={backLink.to} variant="secondary">
              {backLink.label}
            </ButtonLink>
          </p>
        </div>
      )}
    </div>
  )
}

function getHeading({ kind, request }: RefundView): string {
  if (request === null) {
    return refundTitles[kind]
  }

  return request.status === 'declined'
    ? confirmRefundTexts.declinedTitle
    : confirmRefundTexts[kind].done
}

type RequestNoticeProps = {
  kind: RefundView['kind']
  request: NonNullable<RefundView['request']>
  timeZone: string
}

function RequestNotice({ kind, request, timeZone }: RequestNoticeProps) {
  const { status, at, answer } = request
  if (status === 'declined') {
    return <Notice variant="warn">{answer}</Notice>
  }

  // A withdrawal is granted as soon as it is received, so its page shows when it was received.
  const isGrantedRefund = kind === 'refund' && status === 'granted'
  const text = isGrantedRefund
    ? requestStatusTexts.granted(formatDate(at, timeZone))
    : confirmRefundTexts[kind].doneAt(formatDateTime(at, timeZone))

  return <Notice variant="good">{text}</Notice>
}

type ConfirmFormProps = Pick<RefundView, 'kind' | 'gift'> & {
  lastDay: string
  hasReasonField: boolean
  result: FormResult | undefined
}

function ConfirmForm({ kind, gift, lastDay, hasReasonField, result }: ConfirmFormProps) {
  const texts = confirmRefundTexts[kind]
  const intro = gift ? confirmRefundTexts.giftIntros[kind][gift] : texts.intro
  const errors = getFieldErrors(result)
  const submittedValues = result?.done === false ? result.submittedValues : undefined
  const isBusy = useNavigation().formMethod !== undefined

  return (
    <Form method="post" className="grid gap-5">
      {errors.form && <Notice variant="bad">{errors.form}</Notice>}
      <p>{intro}</p>
      {hasReasonField && (
        <TextAreaField
          label={refundReasonLabel}
          name="reason"
          dir="auto"
          maxLength={maxRefundReasonLength}
          defaultValue={submittedValues?.reason}
          error={errors.reason}
        />
      )}
      <p className="text-muted">{texts.until(lastDay)}</p>
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

function OrderDetails({ order, timeZone }: { order: RefundView['order']; timeZone: string }) {
  const details = [
    ['Course', order.courseTitle],
    ['Order', order.id],
    ['Ordered', formatDate(order.orderedAt, timeZone)],
    ['Price', formatMoney(order.totalMinor, order.currency)],
  ] as const

  return (
    <dl className="card my-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 p-5 sm:p-6">
      {details.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
