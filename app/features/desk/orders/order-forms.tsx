/** The forms of an order’s page, each of which performs an action on the order. */
import { amountExample } from '~/features/school/money'
import { maxReasonLength } from '~/features/staff/reason'
import { Field } from '~/ui/form/field'
import { CollapsedActionForm } from '../desk-forms'
import { Section } from '../desk-parts'
import type { OrderPageData } from './order-page.server'

/** Shows a form for each action that the order allows now. */
export function OrderForms({
  order,
  learner,
  remaining,
  waitingRequests,
  gift,
  hasShop,
}: OrderPageData) {
  const { status, currency } = order
  const isFree = order.totalMinor === 0
  const isUnpaid = status === 'open' || status === 'processing' || status === 'canceled'
  const canRefund = hasShop && remaining.minor > 0 && waitingRequests.length === 0
  const canMarkPaid = hasShop && isUnpaid && learner !== null

  if (!hasShop && !isFree && !gift?.canBeResent) {
    return null
  }

  return (
    <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
      {canRefund && <RefundForm remaining={remaining} currency={currency} />}
      {isFree && status === 'paid' && <EndAccessForm />}
      {canMarkPaid && <MarkPaidForm isGift={gift !== null} />}
      {gift?.canBeResent && <ResendGiftForm recipient={gift.recipient} />}
    </div>
  )
}

function RefundForm({ remaining, currency }: AmountFieldProps) {
  return (
    <CollapsedActionForm
      title="Give money back"
      intent="refund"
      buttonText="Give back"
      variant="danger"
      hiddenValues={{ left: String(remaining.minor) }}
    >
      <p className="text-muted">
        A full refund ends the access to the course; the learner’s work is kept. It can’t be undone.
      </p>
      <AmountField remaining={remaining} currency={currency} />
      <ReasonField />
    </CollapsedActionForm>
  )
}

function EndAccessForm() {
  return (
    <CollapsedActionForm title="End the access" intent="end" buttonText="End it" variant="danger">
      <p className="text-muted">
        Nothing was paid, so nothing is refunded. The course closes for the learner, who gets an
        email; their work is kept. A coupon stays used.
      </p>
      <ReasonField />
    </CollapsedActionForm>
  )
}

function MarkPaidForm({ isGift }: { isGift: boolean }) {
  return (
    <CollapsedActionForm
      title="Record a bank transfer"
      intent="mark-paid"
      buttonText="Mark as paid"
    >
      <p className="text-muted">
        {isGift
          ? 'The money has arrived another way. The gift is sent at once.'
          : 'The money has arrived another way. The learner is enrolled at once.'}
      </p>
    </CollapsedActionForm>
  )
}

function ResendGiftForm({ recipient }: { recipient: string | null }) {
  return (
    <CollapsedActionForm title="Send the gift again" intent="resend-gift" buttonText="Send">
      <Field
        label="Email address"
        name="to"
        type="email"
        autoComplete="off"
        defaultValue={recipient ?? ''}
        hint="Another address gets a new link, and the old one stops working."
      />
    </CollapsedActionForm>
  )
}

/** Shows the learner's refund requests that wait for a decision, and the forms that decide. */
export function RefundRequests({
  waitingRequests,
  remaining,
  currency,
  hasShop,
}: Pick<OrderPageData, 'waitingRequests' | 'remaining' | 'hasShop'> & { currency: string }) {
  const isWithdrawal = waitingRequests.some(({ kind }) => kind === 'withdrawal')
  return (
    <Section title="The learner wants the money back">
      {waitingRequests.map(({ kind, reason }) => (
        <p key={kind} className="card mb-3 p-5 [overflow-wrap:anywhere]">
          {reason || 'They gave no reason.'}
        </p>
      ))}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        {hasShop && (
          <CollapsedActionForm
            title="Give the money back"
            intent="grant"
            buttonText="Give back"
            variant="primary"
            hiddenValues={{ left: String(remaining.minor) }}
          >
            <p className="text-muted">The learner gets the credit note by email.</p>
            {isWithdrawal ? (
              <p>{`All of it: ${remaining.text}.`}</p>
            ) : (
              <AmountField remaining={remaining} currency={currency} />
            )}
          </CollapsedActionForm>
        )}
        {!isWithdrawal && (
          <CollapsedActionForm
            title="Decline"
            intent="decline"
            buttonText="Decline"
            variant="danger"
          >
            <Field
              label="Reason"
              name="reason"
              required
              maxLength={maxReasonLength}
              hint="It is mailed to the learner."
            />
          </CollapsedActionForm>
        )}
      </div>
    </Section>
  )
}

type AmountFieldProps = Pick<OrderPageData, 'remaining'> & { currency: string }

function AmountField({ remaining, currency }: AmountFieldProps) {
  return (
    <Field
      label={`Amount, up to ${remaining.text}`}
      name="amount"
      inputMode="decimal"
      placeholder="Everything that is left"
      hint={`Like ${amountExample(currency)}. Leave it empty for everything that is left.`}
    />
  )
}

function ReasonField() {
  return (
    <Field
      label="Reason"
      name="reason"
      required
      maxLength={maxReasonLength}
      hint="Only staff see it."
    />
  )
}
