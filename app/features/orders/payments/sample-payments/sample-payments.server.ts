import { setTimeout as delay } from 'node:timers/promises'
import { Hono } from 'hono'
import { log } from '~/server/operations/log.server'
import { paymentPage } from './sample-payment-page.server'
import {
  metadataOf,
  newRefund,
  randomId,
  type SampleDispute,
  type SampleSession,
  type State,
  shownDispute,
  shownRefund,
} from './sample-payment-state.server'
import { StateFile } from './state-file.server'

type Settings = {
  /** Its state survives a restart of the product here. */
  file: string
  /** Where the product takes events. */
  webhookUrl: string
  /** Where the learner's browser finds the page to pay on; the session's id is added. */
  pageUrl: string
  /** How an event travels; a test loses, doubles or delays it here. */
  deliver?: (send: () => Promise<void>) => Promise<void>
}

/** What the buttons of the payment page do, besides 'Pay'. */
const stateByButton = new Map<string, 'processing' | 'failed'>([
  ['later', 'processing'],
  ['fail', 'failed'],
])

/**
 * Stands in for Stripe on a machine of one's own, so that a newcomer buys a course offline. It
 * speaks as much of Stripe's HTTP as the product uses, has a page to pay on, and sends signed
 * events. The product meets it through Stripe's own library.
 */
export class SamplePayments {
  readonly #file: StateFile<State>

  constructor(private settings: Settings) {
    const empty = () => ({
      webhookSecret: `whsec_${randomId()}`,
      sessions: {},
      refunds: {},
      made: {},
    })

    this.#file = new StateFile(settings.file, empty)
  }

  get webhookSecret(): string {
    return this.#file.change((state) => state.webhookSecret)
  }

  /** The interface that Stripe's library calls. */
  api(): Hono {
    const app = new Hono()
    app.post('/v1/checkout/sessions', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const key = context.req.header('idempotency-key')
      const session = this.#once(
        key,
        ({ sessions }) => sessions,
        () => this.#newSession(form),
      )

      return context.json(this.#shownSession(session))
    })

    app.get('/v1/checkout/sessions/:id', (context) => {
      const session = this.find(context.req.param('id'))
      return session ? context.json(this.#shownSession(session)) : context.json(missing, 404)
    })
    app.post('/v1/checkout/sessions/:id/expire', (context) => {
      const session = this.find(context.req.param('id'))
      if (session?.state !== 'open') {
        return context.json(missing, 400)
      }

      const expired = { ...session, state: 'expired' as const }
      this.#file.change(({ sessions }) => {
        sessions[session.id] = expired
      })

      return context.json(this.#shownSession(expired))
    })

    app.get('/v1/events', (context) => {
      const since = Number(context.req.query('created[gte]'))
      const asked = new Set(Object.values(context.req.query()))
      const data = (this.#file.read().events ?? []).filter(
        ({ type, created }) => asked.has(type) && created >= since,
      )

      return context.json({ object: 'list', has_more: false, data })
    })

    app.post('/v1/refunds', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const key = context.req.header('idempotency-key')
      const problem = this.#refundProblem(form, key)
      if (problem) {
        return context.json({ error: { type: 'invalid_request_error', message: problem } }, 400)
      }

      return context.json(
        shownRefund(
          this.#once(
            key,
            ({ refunds }) => refunds,
            () => newRefund(form),
          ),
        ),
      )
    })

    app.get('/v1/refunds', (context) => {
      const intent = context.req.query('payment_intent')
      const data = Object.values(this.#file.read().refunds).filter(
        ({ intentId }) => intentId === intent,
      )
      return context.json({ object: 'list', has_more: false, data: data.map(shownRefund) })
    })

    app.get('/v1/disputes', (context) => {
      const intent = context.req.query('payment_intent')
      const data = Object.values(this.#file.read().disputes ?? {}).filter(
        ({ intentId }) => intentId === intent,
      )
      return context.json({ object: 'list', has_more: false, data: data.map(shownDispute) })
    })

    return app
  }

  /** The page that a learner pays on. */
  pages(): Hono {
    const app = new Hono()
    app.get('/:id', (context) => {
      const session = this.find(context.req.param('id'))
      if (!session) {
        return context.text('This page has expired. Go back to the course and try again.', 404)
      }

      const { html, policy } = paymentPage(session, context.req.query('declined') === '1')
      context.header('Content-Security-Policy', policy)
      context.header('Cache-Control', 'no-store')

      return context.html(html)
    })

    app.post('/:id', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const session = this.find(context.req.param('id'))
      if (!session) {
        return context.text('This page has expired. Go back to the course and try again.', 404)
      }

      const act = form.get('act')
      if (act === 'back') {
        return context.redirect(session.cancelUrl, 303)
      }

      if (act === 'decline') {
        return context.redirect(`${new URL(context.req.url).pathname}?declined=1`, 303)
      }

      await this.pay(session.id, stateByButton.get(String(act)) ?? 'paid')

      return context.redirect(session.successUrl, 303)
    })

    return app
  }

  find(id: string): SampleSession | null {
    const { sessions } = this.#file.read()
    // The id comes from a URL, and may be a name like `constructor` that every object has.
    const session = Object.hasOwn(sessions, id) ? sessions[id] : undefined
    if (!session) {
      return null
    }

    const isOver = session.state === 'open' && session.expiresAt * 1000 <= Date.now()

    return isOver ? { ...session, state: 'expired' } : session
  }

  /** What the learner, or later their bank, does. Paying twice pays once. */
  async pay(id: string, state: 'processing' | 'paid' | 'failed'): Promise<void> {
    const before = this.find(id)
    if (!before || !['open', 'processing'].includes(before.state)) {
      return
    }

    this.#file.change(({ sessions }) => {
      sessions[id] = { ...before, state }
    })
    const later =
      state === 'paid'
        ? 'checkout.session.async_payment_succeeded'
        : 'checkout.session.async_payment_failed'
    const type = before.state === 'processing' ? later : 'checkout.session.completed'
    this.#send(type, this.#shownSession({ ...before, state }))
  }

  /** A refund that begins at the provider, as from its dashboard. */
  refundAtProvider(intentId: string, amount: number): void {
    const refund = { id: `re_${randomId()}`, intentId, amount, metadata: {}, at: Date.now() }
    this.#file.change(({ refunds }) => {
      refunds[refund.id] = refund
    })
    this.#send('refund.created', shownRefund(refund))
  }

  /**
   * Plays the learner's bank, which inquires about a payment, disputes it, or decides a dispute.
   */
  dispute(intentId: string, amount: number, status: SampleDispute['status']): void {
    const dispute = { id: `dp_${intentId}`, intentId, amount, status }
    const isNew = this.#file.change((state) => {
      const known = state.disputes ?? {}
      state.disputes = { ...known, [dispute.id]: dispute }
      return !Object.hasOwn(known, dispute.id)
    })
    const later =
      status === 'needs_response' ? 'charge.dispute.funds_withdrawn' : 'charge.dispute.closed'
    this.#send(isNew ? 'charge.dispute.created' : later, shownDispute(dispute))
  }

  #newSession(form: URLSearchParams): SampleSession {
    const price = 'line_items[0][price_data]'
    return {
      id: `cs_sample_${randomId()}`,
      state: 'open',
      intentId: `pi_sample_${randomId()}`,
      amount: Number(form.get(`${price}[unit_amount]`)),
      currency: form.get(`${price}[currency]`) ?? '',
      title: form.get(`${price}[product_data][name]`) ?? '',
      email: form.get('customer_email') ?? '',
      successUrl: form.get('success_url') ?? '',
      cancelUrl: form.get('cancel_url') ?? '',
      expiresAt: Number(form.get('expires_at')),
      metadata: metadataOf(form),
    }
  }

  #refundProblem(form: URLSearchParams, key = ''): string | null {
    const { sessions, refunds, made } = this.#file.read()
    if (Object.hasOwn(made, key)) {
      return null
    }

    const intent = form.get('payment_intent')
    const session = Object.values(sessions).find(({ intentId }) => intentId === intent)
    if (session?.state !== 'paid') {
      return 'This payment has not succeeded.'
    }

    const before = Object.values(refunds).filter(({ intentId }) => intentId === intent)
    const refunded = before.reduce((sum, { amount }) => sum + amount, 0)

    return refunded + Number(form.get('amount')) > session.amount
      ? 'The refund exceeds the payment.'
      : null
  }

  /** The same key makes the same thing. */
  #once<Thing extends { id: string }>(
    key: string | undefined,
    listOf: (state: State) => Record<string, Thing>,
    make: () => Thing,
  ): Thing {
    return this.#file.change((state) => {
      const list = listOf(state)
      const knownId = key !== undefined && Object.hasOwn(state.made, key) ? state.made[key] : null
      const known = knownId ? list[knownId] : undefined
      if (known) {
        return known
      }

      const thing = make()
      list[thing.id] = thing
      if (key) {
        state.made[key] = thing.id
      }

      return thing
    })
  }

  #shownSession(session: SampleSession) {
    const { id, intentId, state, amount, currency, metadata } = session
    const isComplete = state === 'paid' || state === 'processing' || state === 'failed'
    const intentStates = { paid: 'succeeded', processing: 'processing' } as Record<string, string>

    return {
      id,
      object: 'checkout.session',
      url: isComplete ? null : `${this.settings.pageUrl}${id}`,
      status: isComplete ? 'complete' : state,
      payment_status: state === 'paid' ? 'paid' : 'unpaid',
      amount_total: amount,
      currency,
      metadata,
      payment_intent: isComplete
        ? {
            id: intentId,
            object: 'payment_intent',
            status: intentStates[state] ?? 'requires_payment_method',
            metadata,
          }
        : null,
    }
  }

  #send(type: string, object: object): void {
    const event = {
      ...{ id: `evt_${randomId()}`, object: 'event', type, data: { object } },
      created: Math.floor(Date.now() / 1000),
    }
    this.#file.change((state) => {
      state.events = [event, ...(state.events ?? [])].slice(0, mostEvents)
    })
    const payload = JSON.stringify(event)
    const { deliver = repeatUntilTaken } = this.settings
    const send = async () => {
      const { default: Stripe } = await import('stripe')
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
        payload,
        secret: this.webhookSecret,
      })
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
      const { status } = await fetch(this.settings.webhookUrl, {
        method: 'POST',
        headers,
        body: payload,
      })

      if (status !== 200) {
        throw new Error(`The product answered an event with ${status}.`)
      }
    }

    deliver(send).catch((error) =>
      log.warn({ err: error, type }, 'an event of the sample payments was not taken'),
    )
  }
}

const mostEvents = 1000

const missing = {
  error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such session.' },
}

const retryPausesMs = [0, 1_000, 5_000, 30_000]

async function repeatUntilTaken(send: () => Promise<void>): Promise<void> {
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
