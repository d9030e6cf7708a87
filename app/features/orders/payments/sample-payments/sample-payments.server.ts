import { setTimeout as delay } from 'node:timers/promises'
import { Hono } from 'hono'
import { log } from '~/server/operations/log.server'
import { renderPaymentPage } from './sample-payment-page.server'
import {
  createHexId,
  parseMetadata,
  parseRefund,
  type SampleDispute,
  type SampleRefund,
  type SampleSession,
  type SampleState,
  toStripeDispute,
  toStripeRefund,
} from './sample-payment-state.server'
import { StateFile } from './state-file.server'

type Settings = {
  /** The state is kept in this file, so that it survives a restart of the product. */
  file: string
  /** The URL at which the product receives events. */
  webhookUrl: string
  /** The beginning of the payment page's URL. The session's ID follows it. */
  pageUrl: string
  /** Sends an event. A test loses, doubles or delays events here. */
  deliver?: (send: () => Promise<void>) => Promise<void>
}

/** What becomes of the payment after each button of the payment page. After 'Pay', it is paid. */
const stateByButton = new Map<string, 'processing' | 'failed'>([
  ['later', 'processing'],
  ['fail', 'failed'],
])

/**
 * An imitation of Stripe, so that a newcomer can buy a course on their own machine without a
 * network.
 *
 * It offers as much of Stripe's HTTP interface as the product uses, has a page to pay on, and sends
 * signed events. The product talks to it through Stripe's own library.
 */
export class SamplePayments {
  readonly #file: StateFile<SampleState>

  constructor(private settings: Settings) {
    this.#file = new StateFile(settings.file, () => ({
      webhookSecret: `whsec_${createHexId()}`,
      sessions: {},
      refunds: {},
      made: {},
    }))
  }

  get webhookSecret(): string {
    return this.#file.change((state) => state.webhookSecret)
  }

  /** Creates the HTTP interface that Stripe's library calls. */
  createApi(): Hono {
    const app = new Hono()

    app.post('/v1/checkout/sessions', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const session = this.#createOnce(context.req.header('idempotency-key'), {
        getRecords: ({ sessions }) => sessions,
        create: () => parseSession(form),
      })

      return context.json(this.#toStripeSession(session))
    })

    // The product only asks whether its key may list sessions, and every key may.
    app.get('/v1/checkout/sessions', (context) =>
      context.json({ object: 'list', has_more: false, data: [] }),
    )

    app.get('/v1/checkout/sessions/:id', (context) => {
      const session = this.findSession(context.req.param('id'))
      return session
        ? context.json(this.#toStripeSession(session))
        : context.json(missingSession, 404)
    })

    app.post('/v1/checkout/sessions/:id/expire', (context) => {
      const session = this.findSession(context.req.param('id'))
      if (session?.state !== 'open') {
        return context.json(missingSession, 400)
      }

      const expiredSession = { ...session, state: 'expired' as const }
      this.#file.change(({ sessions }) => {
        sessions[session.id] = expiredSession
      })

      return context.json(this.#toStripeSession(expiredSession))
    })

    app.get('/v1/events', (context) => {
      const since = Number(context.req.query('created[gte]'))
      // Stripe's library sends the types as `types[0]`, `types[1]` and so on.
      const types = new Set(Object.values(context.req.query()))
      const { events = [] } = this.#file.read()
      const data = events.filter(({ type, created }) => types.has(type) && created >= since)

      return context.json({ object: 'list', has_more: false, data })
    })

    app.post('/v1/refunds', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const key = context.req.header('idempotency-key')
      const problem = this.#findRefundProblem(form, key)
      if (problem) {
        return context.json({ error: { type: 'invalid_request_error', message: problem } }, 400)
      }

      const refund = this.#createOnce(key, {
        getRecords: ({ refunds }) => refunds,
        create: () => parseRefund(form),
      })
      return context.json(this.#toStripeRefund(refund))
    })

    app.get('/v1/refunds', (context) => {
      const refunds = Object.values(this.#file.read().refunds)
      const data = refunds
        .filter(({ intentId }) => intentId === context.req.query('payment_intent'))
        .map((refund) => this.#toStripeRefund(refund))
      return context.json({ object: 'list', has_more: false, data })
    })

    app.get('/v1/disputes', (context) => {
      const disputes = Object.values(this.#file.read().disputes ?? {})
      const data = disputes
        .filter(({ intentId }) => intentId === context.req.query('payment_intent'))
        .map((dispute) => this.#toStripeDispute(dispute))
      return context.json({ object: 'list', has_more: false, data })
    })

    return app
  }

  /** Creates the pages on which learners pay. */
  createPages(): Hono {
    const app = new Hono()

    app.get('/:id', (context) => {
      const session = this.findSession(context.req.param('id'))
      if (!session) {
        return context.text(missingPage, 404)
      }

      const isDeclined = context.req.query('declined') === '1'
      const { html, policy } = renderPaymentPage(session, { isDeclined })
      context.header('Content-Security-Policy', policy)
      context.header('Cache-Control', 'no-store')

      return context.html(html)
    })

    app.post('/:id', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const session = this.findSession(context.req.param('id'))
      if (!session) {
        return context.text(missingPage, 404)
      }

      const button = form.get('act')
      if (button === 'back') {
        return context.redirect(session.cancelUrl, 303)
      }

      if (button === 'decline') {
        return context.redirect(`${new URL(context.req.url).pathname}?declined=1`, 303)
      }

      await this.pay(session.id, stateByButton.get(String(button)) ?? 'paid')
      return context.redirect(session.successUrl, 303)
    })

    return app
  }

  findSession(id: string): SampleSession | null {
    const { sessions } = this.#file.read()
    // The ID comes from a URL, and may be a name like `constructor` that every object has.
    const session = Object.hasOwn(sessions, id) ? sessions[id] : undefined
    if (!session) {
      return null
    }

    const isExpired = session.state === 'open' && session.expiresAt * 1000 <= Date.now()
    return isExpired ? { ...session, state: 'expired' } : session
  }

  /**
   * Plays the learner, who pays on the page or fails to, and later their bank, which sends the
   * money or refuses it. Paying twice pays once.
   */
  async pay(id: string, state: 'processing' | 'paid' | 'failed'): Promise<void> {
    const session = this.findSession(id)
    if (!session || !['open', 'processing'].includes(session.state)) {
      return
    }

    const changedSession = { ...session, state }
    this.#file.change(({ sessions }) => {
      sessions[id] = changedSession
    })

    const eventType = getPaymentEventType(session, state)
    this.#send(eventType, this.#toStripeSession(changedSession))
  }

  /** Starts a refund at the provider, as a member of staff does on Stripe's website. */
  refundAtProvider(intentId: string, stripeAmount: number): void {
    const refund = {
      id: `re_${createHexId()}`,
      intentId,
      amount: stripeAmount,
      metadata: {},
      at: Date.now(),
    }
    this.#file.change(({ refunds }) => {
      refunds[refund.id] = refund
    })
    this.#send('refund.created', this.#toStripeRefund(refund))
  }

  /**
   * Plays the learner's bank, which inquires about a payment, disputes it, or decides a dispute.
   */
  disputePayment(intentId: string, stripeAmount: number, status: SampleDispute['status']): void {
    const dispute = { id: `dp_${intentId}`, intentId, amount: stripeAmount, status }
    const isNew = this.#file.change((state) => {
      const disputes = state.disputes ?? {}
      state.disputes = { ...disputes, [dispute.id]: dispute }
      return !Object.hasOwn(disputes, dispute.id)
    })

    const typeOfChange =
      status === 'needs_response' ? 'charge.dispute.funds_withdrawn' : 'charge.dispute.closed'
    this.#send(isNew ? 'charge.dispute.created' : typeOfChange, this.#toStripeDispute(dispute))
  }

  #findRefundProblem(form: URLSearchParams, idempotencyKey = ''): string | null {
    const { refunds, made } = this.#file.read()
    const isRepeated = Object.hasOwn(made, idempotencyKey)
    if (isRepeated) {
      return null
    }

    const intentId = form.get('payment_intent')
    const session = this.#findSessionOfPayment(intentId)
    if (session?.state !== 'paid') {
      return 'This payment has not succeeded.'
    }

    const alreadyRefunded = Object.values(refunds)
      .filter((refund) => refund.intentId === intentId)
      .reduce((sum, { amount }) => sum + amount, 0)
    if (alreadyRefunded + Number(form.get('amount')) > session.amount) {
      return 'The refund exceeds the payment.'
    }

    return null
  }

  /** Creates a session or refund. The same idempotency key returns the same one. */
  #createOnce<Item extends { id: string }>(
    idempotencyKey: string | undefined,
    {
      getRecords,
      create,
    }: { getRecords: (state: SampleState) => Record<string, Item>; create: () => Item },
  ): Item {
    return this.#file.change((state) => {
      const records = getRecords(state)
      const isRepeated = idempotencyKey !== undefined && Object.hasOwn(state.made, idempotencyKey)
      const existingId = isRepeated ? state.made[idempotencyKey] : undefined
      const existingItem = existingId ? records[existingId] : undefined
      if (existingItem) {
        return existingItem
      }

      const item = create()
      records[item.id] = item
      if (idempotencyKey) {
        state.made[idempotencyKey] = item.id
      }

      return item
    })
  }

  #toStripeSession(session: SampleSession) {
    const { id, intentId, state, amount, currency, metadata } = session
    const isComplete = state === 'paid' || state === 'processing' || state === 'failed'
    const intent = {
      id: intentId,
      object: 'payment_intent',
      status: intentStatusByState[state] ?? 'requires_payment_method',
      metadata,
    }

    return {
      id,
      object: 'checkout.session',
      url: isComplete ? null : `${this.settings.pageUrl}${id}`,
      status: isComplete ? 'complete' : state,
      payment_status: state === 'paid' ? 'paid' : 'unpaid',
      amount_total: amount,
      currency,
      metadata,
      payment_intent: isComplete ? intent : null,
    }
  }

  #toStripeRefund(refund: SampleRefund) {
    return toStripeRefund(refund, this.#getCurrency(refund.intentId))
  }

  #toStripeDispute(dispute: SampleDispute) {
    return toStripeDispute(dispute, this.#getCurrency(dispute.intentId))
  }

  #getCurrency(intentId: string): string {
    const session = this.#findSessionOfPayment(intentId)
    if (session === undefined) {
      throw new Error(`There is no sample payment ${intentId}.`)
    }

    return session.currency
  }

  #findSessionOfPayment(intentId: string | null): SampleSession | undefined {
    const { sessions } = this.#file.read()
    return Object.values(sessions).find((session) => session.intentId === intentId)
  }

  /** Stores an event and delivers it in the background. */
  #send(type: string, object: object): void {
    const event = {
      id: `evt_${createHexId()}`,
      object: 'event',
      type,
      data: { object },
      created: Math.floor(Date.now() / 1000),
    }
    this.#file.change((state) => {
      state.events = [event, ...(state.events ?? [])].slice(0, maxEvents)
    })

    const { deliver = retryUntilAccepted } = this.settings
    deliver(() => this.#postEvent(JSON.stringify(event))).catch((error) =>
      log.warn({ err: error, type }, 'The product did not accept an event of the sample payments.'),
    )
  }

  async #postEvent(payload: string): Promise<void> {
    const { default: Stripe } = await import('stripe')
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: this.webhookSecret,
    })

    const { status } = await fetch(this.settings.webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
      body: payload,
    })
    if (status !== 200) {
      throw new Error(`The product responded to an event with status ${status}.`)
    }
  }
}

/** Older events are dropped, as Stripe drops them after a month. */
const maxEvents = 1000

const missingPage = 'This page has expired. Go back to the course and try again.'

const missingSession = {
  error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such session.' },
}

const intentStatusByState: Partial<Record<SampleSession['state'], string>> = {
  paid: 'succeeded',
  processing: 'processing',
}

function getPaymentEventType(
  session: SampleSession,
  nextState: 'processing' | 'paid' | 'failed',
): string {
  if (session.state !== 'processing') {
    return 'checkout.session.completed'
  }

  return nextState === 'paid'
    ? 'checkout.session.async_payment_succeeded'
    : 'checkout.session.async_payment_failed'
}

function parseSession(form: URLSearchParams): SampleSession {
  const price = 'line_items[0][price_data]'
  return {
    id: `cs_sample_${createHexId()}`,
    state: 'open',
    intentId: `pi_sample_${createHexId()}`,
    amount: Number(form.get(`${price}[unit_amount]`)),
    currency: form.get(`${price}[currency]`) ?? '',
    title: form.get(`${price}[product_data][name]`) ?? '',
    email: form.get('customer_email') ?? '',
    successUrl: form.get('success_url') ?? '',
    cancelUrl: form.get('cancel_url') ?? '',
    expiresAt: Number(form.get('expires_at')),
    metadata: parseMetadata(form),
  }
}

const retryPausesMs = [0, 1_000, 5_000, 30_000]

async function retryUntilAccepted(send: () => Promise<void>): Promise<void> {
  for (const [attempt, pauseMs] of retryPausesMs.entries()) {
    await delay(pauseMs, undefined, { ref: false })
    try {
      return await send()
    } catch (error) {
      if (attempt === retryPausesMs.length - 1) {
        throw error
      }
    }
  }
}
