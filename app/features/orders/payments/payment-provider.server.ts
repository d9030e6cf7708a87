/**
 * What a payment provider has to do. Each provider is one module that returns a `PaymentProvider`;
 * `open-shop.server.ts` lists them.
 *
 * The provider's own record is the truth about money. Its events and the page after paying only say
 * which order to look at.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sample'

  /**
   * Opens a page where the learner pays. Calling it again with the same `paymentId` returns the same
   * page.
   */
  start(payment: NewPayment): Promise<{ sessionId: string; url: string }>

  /** Reads the payment of a session. */
  read(sessionId: string): Promise<ProviderPayment>

  /** Closes the payment page of a session, unless it was paid. Calling it again changes nothing. */
  close(sessionId: string): Promise<void>

  /** Sends money back. Calling it again with the same `refundId` moves no money twice. */
  refund(refund: NewRefund): Promise<ProviderRefund>

  /** Reads an event. @returns null if the provider did not sign it, or signed it long ago */
  readEvent(body: string, signature: string): Promise<ProviderEvent | null>

  /** Lists the events about refunds and disputes, oldest first. */
  listRefundEvents(since: Date): Promise<ProviderEvent[]>
}

/** `close` releases what the provider holds on this machine. */
export type OpenedProvider = { provider: PaymentProvider; close(): void }

export type NewPayment = {
  /** Also the idempotency key. */
  paymentId: string
  orderId: string
  courseTitle: string
  amountMinor: number
  currency: string
  email: string
  /** Where the provider leads the learner after paying. */
  returnUrl: string
  /** Where the provider leads the learner who does not pay. */
  cancelUrl: string
  expiresAt: Date
}

type NewRefund = {
  /** Also the idempotency key. */
  refundId: string
  orderId: string
  intentId: string
  amountMinor: number
  currency: string
}

export type ProviderPayment = {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** The provider's ID of the payment; null until the learner has tried to pay. */
  intentId: string | null
  amountMinor: number
  currency: string
  refunds: ProviderRefund[]
}

/** Money that goes back, by a refund or by a dispute. */
export type ProviderRefund = {
  providerId: string
  /** Our own ID; null for what started at the provider. */
  refundId: string | null
  amountMinor: number
  state: 'pending' | 'succeeded' | 'failed'
  reason: string
}

/** An event says which order or payment it is about; both are null for all other events. */
export type ProviderEvent = {
  id: string
  type: string
  orderId: string | null
  intentId: string | null
}
