import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '~/ui/button'
import { enrolledNow, notPaidYet, paidLater } from './order-messages'
import type { OrderState } from './order-states'

export type PaidOrder = { id: string; courseId: string; courseTitle: string; state: OrderState }

/** Where the payment provider leads back to. */
export function PaidPage({ order }: { order: PaidOrder }) {
  const { courseId, courseTitle, state, id } = order
  if (state === 'paid')
    return (
      <Frame icon={<CircleCheck size={28} />} heading={enrolledNow}>
        <p className="mt-2 text-muted">
          {courseTitle} is yours. The receipt is in your purchases; the order number is {id}.
        </p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/Learn/${courseId}`}>Start the first lesson</ButtonLink>
          <ButtonLink to="/Profile/purchases" look="secondary">
            See the receipt
          </ButtonLink>
        </div>
      </Frame>
    )
  if (state === 'processing')
    return (
      <Frame icon={<Clock size={28} />} heading="Your payment is on its way">
        <p className="mt-2 text-muted">{paidLater}</p>
        <div className="mt-6">
          <ButtonLink to="/Profile/purchases" look="secondary">
            Your purchases
          </ButtonLink>
        </div>
      </Frame>
    )
  return (
    <Frame icon={<TriangleAlert size={28} />} heading={notPaidYet}>
      <p className="mt-2 text-muted">
        Have you just paid? Then this page knows in a few seconds: load it again. Otherwise go on where you left off.
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={`/Checkout/${courseId}`}>Back to checkout</ButtonLink>
        <ButtonLink to={`/Checkout/${courseId}/paid?order=${id}`} look="secondary" reloadDocument>
          Load again
        </ButtonLink>
      </div>
    </Frame>
  )
}

function Frame({ icon, heading, children }: { icon: ReactNode; heading: string; children: ReactNode }) {
  return (
    <div className="column py-14">
      <div className="card mx-auto max-w-xl p-8 text-center">
        <div
          aria-hidden="true"
          className="mx-auto mb-4 grid size-14 place-items-center rounded-full bg-accent-soft text-accent"
        >
          {icon}
        </div>
        <h1 className="font-bold text-2xl tracking-tight">{heading}</h1>
        {children}
      </div>
    </div>
  )
}
