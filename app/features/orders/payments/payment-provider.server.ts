/**
 * The interface between orders and a payment provider. Each provider is one module that returns a
 * `PaymentProvider`; `open-shop.server.ts` lists them.
 *
 * The provider's own record is the truth about money. Its events and the page after paying only say
 * which order to look at.
 *
 * A payment, page or refund has an ID of ours and one of the provider's. `sessionId` and `intentId` are
 * the provider's IDs of a payment page and of a payment.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sample'

  /**
   * Opens a page where the learner pays. Calling it again with the same `paymentId` returns the same
   * page.
   */
  createPaymentPage(page: PaymentPageInput): Promise<{ sessionId: string; url: string }>

  /** Reads the payment that was made, or not made yet, on the payment page of a session. */
  readPayment(sessionId: string): Promise<ProviderPayment>

  /** Closes the payment page of a session, unless it was paid. Calling it again changes nothing. */
  closePaymentPage(sessionId: string): Promise<void>

  /** Sends money back. Calling it again with the same `refundId` moves no more money. */
  sendRefund(refund: ProviderRefundInput): Promise<ProviderRefund>

  /**
   * Reads the body of a webhook request.
   *
   * @returns null if the provider did not sign the event, or signed it long ago
   */
  readEvent(body: string, signature: string): Promise<ProviderEvent | null>

  /** Lists the events about refunds and disputes that happened since a time, oldest first. */
  listRefundEvents(since: Date): Promise<ProviderEvent[]>
}

/** A provider that is ready for use. `close` stops the server of the sample payments. */
export type ConnectedProvider = { provider: PaymentProvider; close(): void }

export type PaymentPageInput = {
  /** Our own ID of the payment. It is also the idempotency key. */
  paymentId: string
  orderId: string
  courseTitle: string
  amountMinor: number
  currency: string
  email: string
  /** The page to which the provider sends the learner after paying. */
  returnUrl: string
  /** The page to which the provider sends a learner who does not pay. */
  cancelUrl: string
  expiresAt: Date
}

type ProviderRefundInput = {
  /** Our own ID of the refund. It is also the idempotency key. */
  refundId: string
  orderId: string
  /** The provider's ID of the payment that is refunded. */
  intentId: string
  amountMinor: number
  currency: string
}

export type ProviderPayment = {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** The provider's ID of the payment; null until the learner has tried to pay. */
  intentId: string | null
  /** The amount that the page asks for or, once it is paid, the amount that was received. */
  amountMinor: number
  currency: string
  refunds: ProviderRefund[]
}

/** Money that goes back to the buyer, by a refund or by a dispute. */
export type ProviderRefund = {
  /** The provider's ID of the refund or dispute. */
  providerId: string
  /** Our own ID of the refund, or null if the refund was started at the provider. */
  refundId: string | null
  amountMinor: number
  state: 'pending' | 'succeeded' | 'failed'
  /** A sentence for staff. */
  reason: string
}

/** A webhook event. `orderId` and `intentId` are null if the event is about something else. */
export type ProviderEvent = {
  id: string
  type: string
  orderId: string | null
  /** The provider's ID of the payment. */
  intentId: string | null
}
