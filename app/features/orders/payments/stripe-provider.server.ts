import type Stripe from 'stripe'
import {
  type NewPayment,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderPayment,
  type ProviderRefund,
  UnsignedEventError,
} from './payment-provider.server'
import { fromStripe, toStripe } from './stripe-amounts'

type Settings = {
  name: PaymentProvider['name']
  secretKey: string
  webhookSecret: string
  /** Another address of the interface, for the stand-in. */
  apiUrl?: string
  /** Allows what is paid later, like bank debits, beside cards. */
  allowLaterPayment?: boolean
}

/** Stripe Checkout by redirect: no card data and no foreign script reach the product. */
export async function createStripeProvider(settings: Settings): Promise<PaymentProvider> {
  const { name, secretKey, webhookSecret, apiUrl, allowLaterPayment = false } = settings
  // Loaded only where courses are sold.
  const { default: StripeClient } = await import('stripe')
  const stripe = new StripeClient(secretKey, {
    ...addressOf(apiUrl),
    telemetry: false,
    timeout: 10_000,
    maxNetworkRetries: 2,
  })

  return {
    name,

    async start(payment) {
      const session = await stripe.checkout.sessions.create(
        checkoutOf(payment, allowLaterPayment),
        {
          idempotencyKey: payment.paymentId,
        },
      )

      if (!session.url) {
        throw new Error(`The payment provider gave session ${session.id} no address.`)
      }

      return { sessionId: session.id, url: session.url }
    },

    async read(sessionId) {
      const session = await stripe.checkout.sessions
        .retrieve(sessionId, { expand: ['payment_intent'] })
        .catch((error) => {
          if (
            error instanceof StripeClient.errors.StripeInvalidRequestError &&
            error.statusCode === 404
          ) {
            return null
          }

          throw error
        })

      // As after a change of the Stripe account. It stays to be asked, and counts if the account
      // comes back.
      if (!session) {
        return { state: 'failed', intentId: null, amountMinor: 0, currency: '', refunds: [] }
      }

      const intent = session.payment_intent as Stripe.PaymentIntent | null

      return {
        state: stateOf(session, intent),
        intentId: intent?.id ?? null,
        amountMinor: fromStripe(session.amount_total ?? 0, session.currency ?? ''),
        currency: (session.currency ?? '').toUpperCase(),
        refunds: intent ? await listMoneyBack(stripe, intent.id) : [],
      }
    },

    async close(sessionId) {
      await stripe.checkout.sessions.expire(sessionId).catch((error) => {
        // Paid, expired or unknown: reading it says which.
        if (!(error instanceof StripeClient.errors.StripeInvalidRequestError)) {
          throw error
        }
      })
    },

    async refund({ refundId, orderId, intentId, amountMinor, currency }) {
      const amount = toStripe(amountMinor, currency)
      try {
        const metadata = { order: orderId, refund: refundId }
        const asked = { payment_intent: intentId, amount, metadata }
        return ofRefund(await stripe.refunds.create(asked, { idempotencyKey: refundId }))
      } catch (error) {
        // As for a payment that is disputed: asking again would change nothing. Others, like 409
        // while another process sends the same refund, are asked again.
        const { StripeInvalidRequestError, StripeCardError } = StripeClient.errors
        const isAnswer =
          error instanceof StripeInvalidRequestError || error instanceof StripeCardError
        if (!isAnswer || !finalStatuses.has(error.statusCode ?? 0)) {
          throw error
        }

        const providerId = `refused ${refundId}`

        return { providerId, refundId, amountMinor, state: 'failed', reason: error.message }
      }
    },

    async readEvent(body, signature) {
      const event = await stripe.webhooks
        .constructEventAsync(body, signature, webhookSecret)
        .catch((error) => {
          throw new UnsignedEventError(
            'The event is not signed by the payment provider, or too old.',
            { cause: error },
          )
        })

      return ofEvent(event)
    },

    async listMoneyEvents(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) }
      const listed: ProviderEvent[] = []
      for await (const event of stripe.events.list({ types: moneyEvents, created, limit: 100 })) {
        listed.push(ofEvent(event))
      }

      return listed.reverse()
    },
  }
}

const finalStatuses = new Set([400, 402, 404])

/** What sessions, payments, charges, refunds and disputes have in common. */
type EventObject = {
  object: string
  id?: string
  payment_intent?: string | { id: string } | null
  metadata?: Record<string, string> | null
}

/** All that tells of money that goes back. */
const moneyEvents = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  // A bank's question has become a dispute.
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
]

function ofEvent(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as EventObject
  const isIntent = object.object === 'payment_intent'
  const intent = isIntent ? object.id : object.payment_intent
  const intentId = typeof intent === 'string' ? intent : (intent?.id ?? null)

  return {
    id: event.id,
    type: event.type,
    orderId: object.metadata?.order ?? null,
    intentId: intentId ?? null,
  }
}

function addressOf(apiUrl: string | undefined) {
  if (!apiUrl) {
    return {}
  }

  const { hostname, port, protocol } = new URL(apiUrl)

  return {
    host: hostname,
    port,
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  }
}

function checkoutOf(
  payment: NewPayment,
  allowLaterPayment: boolean,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { order: payment.orderId, payment: payment.paymentId }
  const unit_amount = toStripe(payment.amountMinor, payment.currency)
  const product_data = { name: payment.courseTitle }
  const price_data = { currency: payment.currency.toLowerCase(), unit_amount, product_data }

  return {
    mode: 'payment',
    client_reference_id: payment.orderId,
    metadata,
    payment_intent_data: { metadata },
    line_items: [{ quantity: 1, price_data }],
    // Without a list, Stripe offers everything that the account has switched on.
    ...(allowLaterPayment ? {} : { payment_method_types: ['card'] }),
    customer_email: payment.email,
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    expires_at: Math.floor(payment.expiresAt.getTime() / 1000),
  }
}

function stateOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): ProviderPayment['state'] {
  if (session.status === 'expired') {
    return 'expired'
  }

  if (session.status !== 'complete') {
    return 'open'
  }

  if (session.payment_status !== 'unpaid') {
    return 'paid'
  }

  // A voucher or transfer waits for days for what the learner has to do, a debit for the bank.
  return intent?.status === 'processing' || intent?.status === 'requires_action'
    ? 'processing'
    : 'failed'
}

async function listMoneyBack(stripe: Stripe, intentId: string): Promise<ProviderRefund[]> {
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list({ payment_intent: intentId, limit: 100 }),
    stripe.disputes.list({ payment_intent: intentId, limit: 10 }),
  ])
  return [...refunds.data.map(ofRefund), ...disputes.data.filter(movesMoney).map(ofDispute)]
}

function ofRefund({
  id,
  amount,
  currency,
  status,
  reason,
  metadata,
}: Stripe.Refund): ProviderRefund {
  const isPending = status === 'pending' || status === 'requires_action'
  const state = isPending ? 'pending' : status === 'succeeded' ? 'succeeded' : 'failed'
  const amountMinor = fromStripe(amount, currency)

  return {
    providerId: id,
    refundId: metadata?.refund ?? null,
    amountMinor,
    state,
    reason: reason ?? 'refund',
  }
}

/**
 * An inquiry that the bank has not turned into a dispute takes no money, nor does a dispute that a
 * refund has prevented.
 */
const movesMoney = ({ status }: Stripe.Dispute) =>
  !status.startsWith('warning_') && status !== 'prevented'

/** The bank takes the money when a dispute begins, and gives it back if the school wins. */
function ofDispute({ id, amount, currency, status, reason }: Stripe.Dispute): ProviderRefund {
  const state = status === 'won' ? 'failed' : 'succeeded'
  return {
    providerId: id,
    refundId: null,
    amountMinor: fromStripe(amount, currency),
    state,
    reason: `dispute: ${reason}`,
  }
}
