import { ReceiptText } from 'lucide-react'
import { Link } from 'react-router'
import { formatMoney } from '~/features/school/money'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { formatDate } from '~/ui/format-date'
import type { GivenGift as Gift } from '../gifts/gift'
import { GivenGift, type ResendResult } from '../gifts/given-gift'
import type { OrderState } from '../order-states'
import { noPurchases, orderStateText } from '../order-texts'
import { documentAsPdf, documentTitle } from '../receipts/receipt-text'
import type { RefundKind } from '../refunds/refund-options'
import { refundTitles, requestStates } from '../refunds/refund-texts'

export type Purchase = {
  id: string
  courseId: string
  courseTitle: string
  /** False for a course that was withdrawn. */
  isOffered: boolean
  state: OrderState
  totalMinor: number
  currency: string
  /** ISO 8601, UTC. */
  orderedAt: string
  documents: { number: number; kind: 'receipt' | 'credit note' }[]
  /** What the learner may ask for now. */
  chances: RefundKind[]
  /** The latest that was asked for. */
  gift: Gift | null
  request: { kind: RefundKind; state: 'asked' | 'granted' | 'declined'; at: string } | null
}

type PurchasesPageProps = {
  purchases: Purchase[]
  timeZone: string
  result: ResendResult | undefined
}

/** A learner's orders, the newest first, with their receipts. */
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
          {noPurchases}
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
  const {
    id,
    courseId,
    courseTitle,
    isOffered,
    state,
    totalMinor,
    currency,
    orderedAt,
    documents,
  } = purchase
  const { chances, request, gift } = purchase
  const isLearned = state === 'paid' && !gift
  const isPayable = state === 'open' && isOffered

  return (
    <li className="card p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="min-w-0 font-bold text-lg [overflow-wrap:anywhere]">
          {isLearned || isOffered ? (
            <Link
              to={isLearned ? `/Learn/${courseId}` : `/OneCourse/${courseId}`}
              className="hover:underline"
            >
              {courseTitle}
            </Link>
          ) : (
            courseTitle
          )}
        </h2>
        <p className="whitespace-nowrap font-bold">
          {totalMinor === 0 ? 'Free' : formatMoney(totalMinor, currency)}
        </p>
      </div>
      <p className="mt-1 text-muted">
        {orderStateText({ state, totalMinor })} · Ordered {formatDate(orderedAt, timeZone)} · Order{' '}
        {id}
      </p>
      {request && (
        <p className="mt-3">
          <Link to={`/Profile/purchases/${id}/${request.kind}`} className="link">
            {requestStates[request.state](formatDate(request.at, timeZone))}
          </Link>
        </p>
      )}
      {(documents.length > 0 || isPayable || chances.length > 0) && (
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2">
          {documents.map((document) => (
            <span key={document.number} className="whitespace-nowrap">
              <Link to={`/Profile/purchases/${document.number}`} className="link">
                {documentTitle(document)}
              </Link>{' '}
              <Link
                to={`/Profile/purchases/${document.number}/document.pdf`}
                reloadDocument
                aria-label={documentAsPdf(document)}
                className="link"
              >
                (PDF)
              </Link>
            </span>
          ))}
          {chances.map((kind) => (
            <Link key={kind} to={`/Profile/purchases/${id}/${kind}`} className="link">
              {refundTitles[kind]}
            </Link>
          ))}
          {isPayable && (
            <Link
              to={gift ? `/Checkout/${courseId}?gift=1` : `/Checkout/${courseId}`}
              className="link"
            >
              Continue to payment
            </Link>
          )}
        </p>
      )}
      {gift && (
        <GivenGift
          orderId={id}
          gift={gift}
          isGood={state === 'paid'}
          timeZone={timeZone}
          result={result}
        />
      )}
    </li>
  )
}
