/**
 * The client of Stripe's HTTP interface. It notices whether Stripe refuses its secret key, so that
 * the desk can say so.
 */
import { env } from '~/server/env.server'
import { paymentMode } from '~/server/site/site.server'
import { findStripeKeys } from './payment-settings.server'

export type StripeClientSettings = {
  secretKey: string
  /** The URL of an imitation of Stripe. */
  apiUrl?: string
}

/** Creates a client of Stripe that remembers whether Stripe refuses its key. */
export async function createStripeClient(
  { secretKey, apiUrl }: StripeClientSettings,
  limits: { timeout: number; maxNetworkRetries: number },
) {
  // The library is large, so only schools that sell courses load it.
  const { default: StripeClient } = await import('stripe')
  const nodeClient = StripeClient.createNodeHttpClient()
  const httpClient: typeof nodeClient = {
    getClientName: () => nodeClient.getClientName(),
    async makeRequest(...parameters) {
      const response = await nodeClient.makeRequest(...parameters)
      rememberKeyStatus(secretKey, response.getStatusCode())
      return response
    },
  }

  const stripe = new StripeClient(secretKey, {
    ...parseApiUrl(apiUrl),
    ...limits,
    telemetry: false,
    httpClient,
  })

  return { stripe, errors: StripeClient.errors }
}

/**
 * Returns the URL's parts as Stripe's library expects them. Without a URL, the library calls
 * Stripe.
 */
function parseApiUrl(apiUrl: string | undefined) {
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

/** The last secret key that Stripe refused. Each process learns it from its own requests. */
let refusedSecretKey: string | null = null

const unauthorizedStatus = 401
const forbiddenStatus = 403

function rememberKeyStatus(secretKey: string, status: number): void {
  if (status === unauthorizedStatus) {
    refusedSecretKey = secretKey
  } else if (status < unauthorizedStatus && secretKey === refusedSecretKey) {
    refusedSecretKey = null
  }
}

/**
 * Returns a sentence if Stripe refuses the secret key in effect, or null if nothing is known about
 * it.
 */
export async function findKeyRefusal(): Promise<string | null> {
  if (paymentMode() !== 'stripe' || refusedSecretKey === null) {
    return null
  }

  const keys = await findStripeKeys()
  return keys?.secretKey === refusedSecretKey
    ? 'Stripe refuses the secret key, which may have been revoked.'
    : null
}

/** Asks Stripe whether it accepts a secret key, by reading at most one payment page. */
export async function checkSecretKey(
  secretKey: string,
): Promise<'accepted' | 'refused' | 'unreachable'> {
  const { stripe, errors } = await createStripeClient(
    { secretKey, apiUrl: env.STRIPE_API_URL },
    { timeout: 5_000, maxNetworkRetries: 0 },
  )

  try {
    await stripe.checkout.sessions.list({ limit: 1 })
    return 'accepted'
  } catch (error) {
    const status = error instanceof errors.StripeError ? error.statusCode : undefined
    // A restricted key without the permission for payment pages is as useless as a wrong one.
    const isRefused = status === unauthorizedStatus || status === forbiddenStatus
    return isRefused ? 'refused' : 'unreachable'
  }
}
