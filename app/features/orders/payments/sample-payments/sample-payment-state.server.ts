/** What the imitation of Stripe stores, and how it presents refunds and disputes as Stripe does. */
import { randomBytes } from 'node:crypto'

export type SampleState = {
  webhookSecret: string
  sessions: Record<string, SampleSession>
  refunds: Record<string, SampleRefund>
  disputes?: Record<string, SampleDispute>
  /** The newest first. */
  events?: SampleEvent[]
  /** The ID of the session or refund that each idempotency key created. */
  made: Record<string, string>
}

/** A checkout session with its payment, as far as the product reads it. */
export type SampleSession = {
  id: string
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  intentId: string
  /** In Stripe's units. */
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

export type SampleRefund = {
  id: string
  intentId: string
  /** In Stripe's units. */
  amount: number
  metadata: Record<string, string>
  at: number
}

/** With a status `warning_...`, the bank inquires about the payment and takes no money. */
export type SampleDispute = {
  id: string
  intentId: string
  /** In Stripe's units. */
  amount: number
  status: 'warning_needs_response' | 'needs_response' | 'won' | 'lost'
}

type SampleEvent = { id: string; type: string; created: number; data: { object: object } }

export function createHexId(): string {
  return randomBytes(12).toString('hex')
}

/** Returns the fields `metadata[...]` of a request to Stripe. */
export function parseMetadata(form: URLSearchParams): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key ? [[key, value]] : []
  })
  return Object.fromEntries(entries)
}

export function parseRefund(form: URLSearchParams): SampleRefund {
  return {
    id: `re_${createHexId()}`,
    intentId: form.get('payment_intent') ?? '',
    amount: Number(form.get('amount')),
    metadata: parseMetadata(form),
    at: Date.now(),
  }
}

/** @param currency the currency of the payment, in small letters as Stripe writes it */
export function toStripeRefund({ id, intentId, amount, metadata }: SampleRefund, currency: string) {
  return {
    id,
    object: 'refund',
    payment_intent: intentId,
    amount,
    currency,
    metadata,
    status: 'succeeded',
    reason: null,
  }
}

/** @param currency the currency of the payment, in small letters as Stripe writes it */
export function toStripeDispute({ id, intentId, amount, status }: SampleDispute, currency: string) {
  return {
    id,
    object: 'dispute',
    payment_intent: intentId,
    amount,
    currency,
    metadata: {},
    status,
    reason: 'fraudulent',
  }
}
