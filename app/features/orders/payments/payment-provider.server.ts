/**
 * What the product needs of a payment provider. The provider's own record is the truth about money:
 * events and return pages only say which order to look at.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sample'
  /**
   * Opens the page where the learner pays. Repeating it with the same `paymentId` opens no second
   * one.
   */
  start(payment: NewPayment): Promise<{ sessionId: string; url: string }>
  read(sessionId: string): Promise<ProviderPayment>
  /** Closes the session's page, unless it was paid. Idempotent. */
  close(sessionId: string): Promise<void>
  /** Repeating it with the same `refundId` moves no money twice. */
  refund(refund: NewRefund): Promise<ProviderRefund>
  /** @throws {UnsignedEventError} if the provider didn't sign it, or long ago. */
  readEvent(body: string, signature: string): Promise<ProviderEvent>
  /** Events about refunds and disputes, the oldest first. */
  listMoneyEvents(since: Date): Promise<ProviderEvent[]>
}

export type NewPayment = {
  paymentId: string
  orderId: string
  courseTitle: string
  amountMinor: number
  /** ISO 4217. */
  currency: string
  email: string
  returnUrl: string
  cancelUrl: string
  expiresAt: Date
}

type NewRefund = {
  refundId: string
  orderId: string
  intentId: string
  amountMinor: number
  /** ISO 4217. */
  currency: string
}

export type ProviderPayment = {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** Null until the learner has tried to pay. */
  intentId: string | null
  amountMinor: number
  currency: string
  refunds: ProviderRefund[]
}

/** Money that goes back, by a refund or a dispute. */
export type ProviderRefund = {
  providerId: string
  /** The product's own id; null for what began at the provider. */
  refundId: string | null
  amountMinor: number
  state: 'pending' | 'succeeded' | 'failed'
  reason: string
}

export type ProviderEvent = {
  id: string
  type: string
  /** What the event is about; both null for events that concern no order. */
  orderId: string | null
  intentId: string | null
}

export class UnsignedEventError extends Error {
  override name = 'UnsignedEventError'
}
