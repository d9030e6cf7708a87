import { ChevronDown } from 'lucide-react'
import { Form, Link, useNavigation } from 'react-router'
import { Button } from '~/ui/button'
import { Field } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { type GivenGift as Gift, giftAddress } from './gift'
import { giftFor, giftRedeemed, giftSentAgain, giftWaits } from './gift-texts'

export type ResendResult = FormResult<{ orderId: string; sentTo: string }>

type GivenGiftProps = {
  orderId: string
  gift: Gift
  /** The order is paid, so that the gift can be redeemed. */
  isGood: boolean
  timeZone: string
  result: ResendResult | undefined
}

/**
 * Below a purchase that was a gift: whom it went to, whether it is redeemed, and a way to send it
 * again.
 */
export function GivenGift({ orderId, gift, isGood, timeZone, result }: GivenGiftProps) {
  const { code, recipientEmail, redeemedAt } = gift
  const isBusy = useNavigation().formMethod !== undefined
  const sentTo = result?.done && result.orderId === orderId ? result.sentTo : null
  const submittedValues =
    result?.done === false && result.submittedValues?.orderId === orderId
      ? result.submittedValues
      : null
  const problem = submittedValues ? getFieldErrors(result).recipientEmail : undefined

  return (
    <div className="mt-4 rounded-control bg-sunken px-4 py-3 [overflow-wrap:anywhere]">
      <p className="font-medium">{giftFor(recipientEmail)}</p>
      {redeemedAt && <p className="text-muted">{giftRedeemed(formatDate(redeemedAt, timeZone))}</p>}
      {isGood && !redeemedAt && (
        <>
          <p className="text-muted">
            {giftWaits}{' '}
            <Link to={giftAddress(code)} className="link">
              See the gift’s page
            </Link>
          </p>
          {sentTo && (
            <Notice variant="good" className="mt-3">
              {giftSentAgain(sentTo)}
            </Notice>
          )}
          <details open={problem !== undefined} className="group">
            <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold">
              Send it again
              <ChevronDown
                aria-hidden="true"
                size={18}
                className="text-muted group-open:rotate-180"
              />
            </summary>
            <Form
              method="post"
              preventScrollReset
              className="grid gap-3 pb-2 sm:grid-cols-[1fr_auto] sm:items-start"
            >
              <input type="hidden" name="orderId" value={orderId} />
              <Field
                label="The recipient’s email"
                name="recipientEmail"
                type="email"
                required
                autoComplete="off"
                maxLength={254}
                defaultValue={submittedValues?.recipientEmail ?? recipientEmail ?? ''}
                error={problem}
                hint="Another address gets a new link, and the old one stops working."
              />
              <Button
                type="submit"
                variant="secondary"
                disabled={isBusy}
                className="min-h-12 sm:mt-[calc(1lh+0.375rem)]"
              >
                Send
              </Button>
            </Form>
          </details>
        </>
      )}
    </div>
  )
}
