import { randomBytes } from 'node:crypto'

/** What the stand-in for Stripe stores, and how Stripe shows it. */

/** A checkout session with its payment, as far as the product reads it. */
export type SampleSession = {
  id: string
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  intentId: string
  amount: number
  currency: string
  title: string
  email: string
  successUrl: string
  cancelUrl: string
  /** Seconds since 1970, as Stripe counts. */
  expiresAt: number
  metadata: Record<string, string>
}
/** As Stripe keeps it for a month. */
type SampleEvent = { id: string; type: string; created: number; data: { object: object } }
type SampleRefund = {
  id: string
  intentId: string
  amount: number
  metadata: Record<string, string>
  at: number
}

/** `warning_...`: the bank has asked about the payment, and taken nothing. */
export type SampleDispute = {
  id: string
  intentId: string
  amount: number
  status: 'warning_needs_response' | 'needs_response' | 'won' | 'lost'
}

export type State = {
  webhookSecret: string
  sessions: Record<string, SampleSession>
  refunds: Record<string, SampleRefund>
  disputes?: Record<string, SampleDispute>
  /** The newest first. */
  events?: SampleEvent[]
  /** What each idempotency key made: the id of a session or refund. */
  made: Record<string, string>
}

export function randomId(): string {
  return randomBytes(12).toString('hex')
}

export function metadataOf(form: URLSearchParams): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key ? [[key, value]] : []
  })
  return Object.fromEntries(entries)
}

export function newRefund(form: URLSearchParams): SampleRefund {
  return {
    id: `re_${randomId()}`,
    intentId: form.get('payment_intent') ?? '',
    amount: Number(form.get('amount')),
    metadata: metadataOf(form),
    at: Date.now(),
  }
}

export function shownRefund({ id, intentId, amount, metadata }: SampleRefund) {
  return {
    id,
    object: 'refund',
    payment_intent: intentId,
    amount,
    metadata,
    status: 'succeeded',
    reason: null,
  }
}

export function shownDispute({ id, intentId, amount, status }: SampleDispute) {
  return {
    id,
    object: 'dispute',
    payment_intent: intentId,
    amount,
    metadata: {},
    status,
    reason: 'fraudulent',
  }
}
