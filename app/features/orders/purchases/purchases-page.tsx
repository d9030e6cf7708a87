import { ChevronDown, ReceiptText } from 'lucide-react'
import { Form, Link, useNavigation } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { Button, ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Field } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { giftPath } from '../gifts/gift'
import { givenGiftTexts } from '../gifts/gift-texts'
import type { OrderStatus } from '../order-statuses'
import { formatOrderStatus } from '../order-texts'
import { documentTitle, pdfLinkLabel } from '../receipts/receipt-text'
import type { RefundKind } from '../refunds/refund-options'
import { refundTitles, requestStatusTexts } from '../refunds/refund-texts'

export type Purchase = {
  id: string
  courseId: string
  courseTitle: string
  /** False for a course that was taken off sale. */
  isOffered: boolean
  status: OrderStatus
  totalMinor: number
  currency: string
  /** ISO 8601, UTC. */
  orderedAt: string
  documents: { number: number; kind: 'receipt' | 'credit note' }[]
  /** How the learner can get the money back now. */
  refundOptions: RefundKind[]
  /** The latest confirmed request for the money. */
  request: { kind: RefundKind; status: 'asked' | 'granted' | 'declined'; at: string } | null
  /** Null if the learner bought the course for themselves. */
  gift: GivenGift | null
}

type GivenGift = {
  code: string
  recipientEmail: string | null
  /** ISO 8601, UTC. */
  redeemedAt: string | null
}

type ResendResult = FormResult<{ orderId: string; sentTo: string }>

type PurchasesPageProps = {
  purchases: Purchase[]
  timeZone: string
  /** The result of sending a gift again. */
  result: ResendResult | undefined
}

/** A learner's orders, newest first, with their receipts. */
export function PurchasesPage({ purchases, timeZone, result }: PurchasesPageProps) {
  return (
    <div className="column py-8 lg:py-12">
      <p className="mb-2">
        <Link to="/Profile/settings" className="link">
          Settings
        </Link>
      </p>
      <h1 className="mb-6 font-bold text-3xl tracking-tight">Purchases</h1>
      {purchases.length === 0 ? (
        <EmptyState
          icon={<ReceiptText />}
          title="No purchases yet"
          action={<ButtonLink to="/AllCourses">See all courses</ButtonLink>}
        >
          You haven’t bought a course yet.
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {purchases.map((purchase) => (
            <PurchaseCard
              key={purchase.id}
              purchase={purchase}
              timeZone={timeZone}
              result={result}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type PurchaseCardProps = { purchase: Purchase; timeZone: string; result: ResendResult | undefined }

function PurchaseCard({ purchase, timeZone, result }: PurchaseCardProps) {
  const { id, status, totalMinor, currency, orderedAt, request, gift } = purchase

  return (
    <li className="card p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="min-w-0 font-bold text-lg [overflow-wrap:anywhere]">
          <CourseLink purchase={purchase} />
        </h2>
        <p className="whitespace-nowrap font-bold">
          {totalMinor === 0 ? 'Free' : formatMoney(totalMinor, currency)}
        </p>
      </div>
      <p className="mt-1 text-muted">
        {formatOrderStatus({ status, totalMinor })} · Ordered {formatDate(orderedAt, timeZone)} ·
        Order {id}
      </p>
      {request && (
        <p className="mt-3">
          <Link to={`/Profile/purchases/${id}/${request.kind}`} className="link">
            {requestStatusTexts[request.status](formatDate(request.at, timeZone))}
          </Link>
        </p>
      )}
      <PurchaseLinks purchase={purchase} />
      {gift && (
        <GivenGiftPanel
          orderId={id}
          gift={gift}
          canBeRedeemed={status === 'paid' && gift.redeemedAt === null}
          timeZone={timeZone}
          result={result}
        />
      )}
    </li>
  )
}

function CourseLink({ purchase }: { purchase: Purchase }) {
  const { courseId, courseTitle, isOffered, status, gift } = purchase
  const hasCourse = status === 'paid' && gift === null
  if (!hasCourse && !isOffered) {
    return courseTitle
  }

  return (
    <Link
      to={hasCourse ? `/Learn/${courseId}` : `/OneCourse/${courseId}`}
      className="hover:underline"
    >
      {courseTitle}
    </Link>
  )
}

/** Links to the receipts, to the ways to get the money back, and to a payment that is not made. */
function PurchaseLinks({ purchase }: { purchase: Purchase }) {
  const { id, courseId, status, isOffered, documents, refundOptions, gift } = purchase
  const canBePaid = status === 'open' && isOffered
  if (documents.length === 0 && refundOptions.length === 0 && !canBePaid) {
    return null
  }

  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2">
      {documents.map((document) => (
        <span key={document.number} className="whitespace-nowrap">
          <Link to={`/Profile/purchases/${document.number}`} className="link">
            {documentTitle(document)}
          </Link>{' '}
          <Link
            to={`/Profile/purchases/${document.number}/document.pdf`}
            reloadDocument
            aria-label={pdfLinkLabel(document)}
            className="link"
          >
            (PDF)
          </Link>
        </span>
      ))}
      {refundOptions.map((kind) => (
        <Link key={kind} to={`/Profile/purchases/${id}/${kind}`} className="link">
          {refundTitles[kind]}
        </Link>
      ))}
      {canBePaid && (
        <Link to={gift ? `/Checkout/${courseId}?gift=1` : `/Checkout/${courseId}`} className="link">
          Continue to payment
        </Link>
      )}
    </p>
  )
}

type GivenGiftPanelProps = {
  orderId: string
  gift: GivenGift
  canBeRedeemed: boolean
  timeZone: string
  result: ResendResult | undefined
}

/** Says to whom a gift went and whether it is redeemed, with a form that sends it again. */
function GivenGiftPanel({ orderId, gift, canBeRedeemed, timeZone, result }: GivenGiftPanelProps) {
  const { code, recipientEmail, redeemedAt } = gift
  const sentTo = result?.done && result.orderId === orderId ? result.sentTo : null

  return (
    <div className="mt-4 rounded-control bg-sunken px-4 py-3 [overflow-wrap:anywhere]">
      <p className="font-medium">{givenGiftTexts.title(recipientEmail)}</p>
      {redeemedAt && (
        <p className="text-muted">{givenGiftTexts.redeemed(formatDate(redeemedAt, timeZone))}</p>
      )}
      {canBeRedeemed && (
        <>
          <p className="text-muted">
            {givenGiftTexts.notRedeemed}{' '}
            <Link to={giftPath(code)} className="link">
              See the gift’s page
            </Link>
          </p>
          {sentTo && (
            <Notice variant="good" className="mt-3">
              {givenGiftTexts.sentAgain(sentTo)}
            </Notice>
          )}
          <ResendForm orderId={orderId} recipientEmail={recipientEmail} result={result} />
        </>
      )}
    </div>
  )
}

type ResendFormProps = Pick<GivenGiftPanelProps, 'orderId' | 'result'> &
  Pick<GivenGift, 'recipientEmail'>

function ResendForm({ orderId, recipientEmail, result }: ResendFormProps) {
  const isBusy = useNavigation().formMethod !== undefined
  // The page has a form for each gift, and the result belongs to one of them.
  const submittedValues =
    result?.done === false && result.submittedValues?.orderId === orderId
      ? result.submittedValues
      : null
  const problem = submittedValues ? getFieldErrors(result).recipientEmail : undefined

  return (
    <details open={problem !== undefined} className="group">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold">
        Send it again
        <ChevronDown aria-hidden="true" size={18} className="text-muted group-open:rotate-180" />
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
          defaultValue={submittedValues?.recipientEmail ?? recipientEmail ?? undefined}
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
  )
}
