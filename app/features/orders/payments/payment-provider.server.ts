/**
 * The interface between orders and a payment provider. Each provider is one module that returns a
 * `PaymentProvider`; `open-shop.server.ts` lists them.
 *
 * The provider's own record is the truth about money. An event only says which order to read there.
 * So does a learner who returns from the payment page.
 *
 * Payments and refunds have two IDs. `paymentId` and `refundId` are the product's. `sessionId`,
 * `intentId` and `providerRefundId` are the provider's IDs of a payment page, of the payment made
 * on it, and of a refund or dispute. Each `amountMinor` is in the smallest unit of the currency,
 * and each `currency` is an ISO code in capital letters.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sample'

  /**
   * Opens a page where the learner pays. Calling it again with the same `paymentId` returns the
   * same page.
   */
  createPaymentPage(page: PaymentPageInput): Promise<{ sessionId: string; url: string }>

  /** Reads the payment that was made, or not made yet, on a payment page. */
  readPayment(sessionId: string): Promise<ProviderPayment>

  /**
   * Closes a payment page, so that nobody can pay on it any more. A page that was paid stays as it
   * is, and `readPayment` then returns the payment. Calling it again changes nothing.
   */
  closePaymentPage(sessionId: string): Promise<void>

  /** Sends money back. Calling it again with the same `refundId` moves no more money. */
  sendRefund(refund: RefundInput): Promise<ProviderRefund>

  /**
   * Verifies the signature of a webhook request, and reads its event.
   *
   * @param body the body as it was received, because the signature covers its bytes
   * @returns null if the provider did not sign the event. Null also for an old signature, which
   *   somebody may have recorded and sent again.
   */
  readSignedEvent(body: string, signature: string): Promise<ProviderEvent | null>

  /** Lists the events about refunds and disputes at or after a time, oldest first. */
  listRefundEvents(since: Date): Promise<ProviderEvent[]>
}

export type ConnectedProvider = {
  provider: PaymentProvider
  /** Stops the server of the sample payments. Other providers have nothing to stop. */
  close(): void
}

export type PaymentPageInput = {
  /** It is also the idempotency key. */
  paymentId: string
  orderId: string
  courseTitle: string
  amountMinor: number
  currency: string
  buyerEmail: string
  /** Where the provider sends the learner after paying. */
  returnUrl: string
  /** Where the provider sends a learner who does not pay. */
  cancelUrl: string
  expiresAt: Date
}

type RefundInput = {
  /** It is also the idempotency key. */
  refundId: string
  orderId: string
  intentId: string
  amountMinor: number
  currency: string
}

export type ProviderPayment = {
  /** 'unknown' if the provider's account has no such payment page. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'unknown'
  /** Null until the learner has tried to pay. */
  intentId: string | null
  /** The amount that was received or, before that, the amount that the page asks for. */
  amountMinor: number
  currency: string
  refunds: ProviderRefund[]
}

/**
 * Money that goes back to the buyer: by a refund, or because the buyer's bank disputes the payment.
 */
export type ProviderRefund = {
  providerRefundId: string
  /** Null if the refund did not start in the product. */
  refundId: string | null
  amountMinor: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Why the money goes back or, after a failure, why it could not. Staff read it. */
  reason: string
}

/** Something that happened at the provider, reported by a webhook request or listed afterwards. */
export type ProviderEvent = {
  id: string
  type: string
  /** Null if the event does not name an order. The order can then be found by `intentId`. */
  orderId: string | null
  /** Null if the event is not about a payment. */
  intentId: string | null
}
