/**
 * Payments by Stripe Checkout. The learner pays on Stripe's page, so no card data and no foreign
 * script reach the school.
 */
import type Stripe from 'stripe'
import { env } from '~/server/env.server'
import { log } from '~/server/operations/log.server'
import type {
  ConnectedProvider,
  PaymentPageInput,
  PaymentProvider,
  ProviderEvent,
  ProviderPayment,
  ProviderRefund,
} from './payment-provider.server'
import { findStripeKeys } from './payment-settings.server'
import { toAmountMinor, toRefundedMinor, toStripeAmount } from './stripe-amounts'
import { createStripeClient, type StripeClientSettings } from './stripe-client.server'

type StripeSettings = StripeClientSettings & {
  name: PaymentProvider['name']
  webhookSecret: string
  /** Allows payment methods that take days, such as bank debits, besides cards. */
  allowLaterPayment?: boolean
}

/**
 * @throws {StartError} if the operator has not set both keys
 * @throws if stored keys can't be decrypted
 */
export async function openStripeProvider(): Promise<ConnectedProvider> {
  const keys = await findStripeKeys()
  if (keys === null) {
    throw new Error('The keys of Stripe can’t be decrypted.')
  }

  const provider = await createStripeProvider({
    name: 'stripe',
    ...keys,
    apiUrl: env.STRIPE_API_URL,
    allowLaterPayment: env.PAY_LATER,
  })

  return { provider, close: () => {} }
}

export async function createStripeProvider(settings: StripeSettings): Promise<PaymentProvider> {
  const { name, webhookSecret, allowLaterPayment = false } = settings
  const { stripe, errors } = await createStripeClient(settings, {
    timeout: 10_000,
    maxNetworkRetries: 2,
  })
  const { StripeInvalidRequestError, StripeCardError } = errors

  return {
    name,

    async createPaymentPage(payment) {
      const session = await stripe.checkout.sessions.create(
        toSessionParameters(payment, allowLaterPayment),
        { idempotencyKey: payment.paymentId },
      )
      if (!session.url) {
        throw new Error(`Stripe returned session ${session.id} without a URL.`)
      }

      return { sessionId: session.id, url: session.url }
    },

    async readPayment(sessionId) {
      const session = await stripe.checkout.sessions
        .retrieve(sessionId, { expand: ['payment_intent'] })
        .catch((error) => {
          if (error instanceof StripeInvalidRequestError && error.statusCode === 404) {
            return null
          }

          throw error
        })
      if (session === null) {
        return unknownPayment
      }

      const intent = session.payment_intent as Stripe.PaymentIntent | null
      return {
        status: getPaymentStatus(session, intent),
        intentId: intent?.id ?? null,
        ...readSessionAmount(session),
        refunds: intent === null ? [] : await listRefunds(stripe, intent.id),
      }
    },

    async closePaymentPage(sessionId) {
      await stripe.checkout.sessions.expire(sessionId).catch((error) => {
        // A session that was paid, has expired or is unknown can't be closed, which is fine.
        if (!(error instanceof StripeInvalidRequestError)) {
          throw error
        }
      })
    },

    async sendRefund({ refundId, orderId, intentId, amountMinor, currency }) {
      try {
        const refund = await stripe.refunds.create(
          {
            payment_intent: intentId,
            amount: toStripeAmount(amountMinor, currency),
            metadata: { order: orderId, refund: refundId },
          },
          { idempotencyKey: refundId },
        )
        return toProviderRefund(refund)
      } catch (error) {
        const isRefusal =
          (error instanceof StripeInvalidRequestError || error instanceof StripeCardError) &&
          finalStatuses.has(error.statusCode ?? 0)
        if (!isRefusal) {
          throw error
        }

        return {
          providerRefundId: `refused ${refundId}`,
          refundId,
          amountMinor,
          status: 'failed',
          reason: error.message,
        }
      }
    },

    async readSignedEvent(body, signature) {
      const event = await stripe.webhooks
        .constructEventAsync(body, signature, webhookSecret)
        .catch((error: Error) => {
          logOldEvent(signature, error)
          return null
        })

      return event && toProviderEvent(event)
    },

    async listRefundEvents(since) {
      const pages = stripe.events.list({
        types: refundEventTypes,
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
      })

      const newestFirst: ProviderEvent[] = []
      for await (const event of pages) {
        newestFirst.push(toProviderEvent(event))
      }

      return newestFirst.reverse()
    },
  }
}

/**
 * A payment that this Stripe account does not know, for example because the school has changed its
 * account. The payment counts again if the school returns to the previous account.
 */
const unknownPayment: ProviderPayment = {
  status: 'unknown',
  intentId: null,
  amountMinor: 0,
  currency: '',
  refunds: [],
}

/**
 * With these HTTP statuses Stripe refuses a refund for good, for example because the payment is
 * disputed. After any other error, such as 409 while another process sends the same refund, the
 * refund is sent again.
 */
const finalStatuses = new Set([400, 402, 404])

const refundEventTypes = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  // The bank has turned its inquiry into a dispute.
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
]

/** What sessions, payments, charges, refunds and disputes have in common. */
type EventObject = {
  object: string
  id?: string
  payment_intent?: string | { id: string } | null
  metadata?: Record<string, string> | null
}

function toProviderEvent(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as EventObject
  return {
    id: event.id,
    type: event.type,
    orderId: object.metadata?.order ?? null,
    intentId: findIntentId(object),
  }
}

function findIntentId(object: EventObject): string | null {
  const intent = object.object === 'payment_intent' ? object.id : object.payment_intent
  if (typeof intent === 'string') {
    return intent
  }

  return intent?.id ?? null
}

function toSessionParameters(
  payment: PaymentPageInput,
  allowLaterPayment: boolean,
): Stripe.Checkout.SessionCreateParams {
  const { amountMinor, currency } = payment
  const metadata = { order: payment.orderId, payment: payment.paymentId }

  return {
    mode: 'payment',
    client_reference_id: payment.orderId,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(amountMinor, currency),
          product_data: { name: payment.courseTitle },
        },
      },
    ],
    // Without a list, Stripe offers everything that the school's account has switched on.
    ...(allowLaterPayment ? {} : { payment_method_types: ['card'] }),
    customer_email: payment.buyerEmail,
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    expires_at: Math.floor(payment.expiresAt.getTime() / 1000),
  }
}

function getPaymentStatus(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): ProviderPayment['status'] {
  if (session.status === 'expired') {
    return 'expired'
  }

  if (session.status !== 'complete') {
    return 'open'
  }

  if (session.payment_status !== 'unpaid') {
    return 'paid'
  }

  // A bank debit waits for the bank. A voucher or a transfer waits for the learner to pay it.
  const isOnItsWay = intent?.status === 'processing' || intent?.status === 'requires_action'
  return isOnItsWay ? 'processing' : 'failed'
}

/** Stripe may leave the amount and the currency out while a session is unfinished. */
function readSessionAmount({
  amount_total: stripeAmount,
  currency,
}: Stripe.Checkout.Session): Pick<ProviderPayment, 'amountMinor' | 'currency'> {
  if (stripeAmount === null || currency === null) {
    return { amountMinor: 0, currency: '' }
  }

  return {
    amountMinor: toAmountMinor(stripeAmount, currency),
    currency: currency.toUpperCase(),
  }
}

async function listRefunds(stripe: Stripe, intentId: string): Promise<ProviderRefund[]> {
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list({ payment_intent: intentId, limit: 100 }),
    stripe.disputes.list({ payment_intent: intentId, limit: 10 }),
  ])

  return [
    ...refunds.data.map(toProviderRefund),
    ...disputes.data.filter(hasTakenMoney).map(toDisputeRefund),
  ]
}

function toProviderRefund(refund: Stripe.Refund): ProviderRefund {
  return {
    providerRefundId: refund.id,
    refundId: refund.metadata?.refund ?? null,
    amountMinor: toRefundedMinor(refund.amount, refund.currency),
    status: getRefundStatus(refund),
    reason: refund.reason ?? 'refund',
  }
}

function getRefundStatus({ status }: Stripe.Refund): ProviderRefund['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'pending':
    case 'requires_action':
      return 'pending'
    default:
      return 'failed'
  }
}

/**
 * Returns whether a dispute takes money from the school. An inquiry of the bank does not, and
 * neither does a dispute that a refund has prevented.
 */
function hasTakenMoney({ status }: Stripe.Dispute): boolean {
  return !status.startsWith('warning_') && status !== 'prevented'
}

/**
 * Presents a dispute as a refund. The bank takes the money when a dispute begins, and gives it back
 * if the school wins.
 */
function toDisputeRefund({ id, amount, currency, status, reason }: Stripe.Dispute): ProviderRefund {
  return {
    providerRefundId: id,
    refundId: null,
    amountMinor: toRefundedMinor(amount, currency),
    status: status === 'won' ? 'failed' : 'succeeded',
    reason: `dispute: ${reason}`,
  }
}

/**
 * Logs that an event was refused because of its age: the clock of this machine may be wrong.
 * Stripe's library checks the age only after the signature, so strangers can't fill the log.
 */
function logOldEvent(signature: string, error: Error): void {
  const isTooOld = error.message.includes('Timestamp outside the tolerance')
  if (isTooOld) {
    const signedAtSeconds = Number(/(?:^|,)t=(\d{1,12})/.exec(signature)?.[1])
    const secondsFromNow = Math.round(signedAtSeconds - Date.now() / 1000)
    log.warn({ secondsFromNow }, 'a payment event was refused, because it was signed too long ago')
  }
}
