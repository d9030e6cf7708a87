import type { OpenedProvider, PaymentProvider } from './payment-provider.server'
import { openSampleProvider } from './sample-payments/sample-provider.server'
import { openStripeProvider } from './stripe-provider.server'

/** All payment providers, by the value of the setting PAYMENTS that selects them. */
const openByName: Record<PaymentProvider['name'], () => Promise<OpenedProvider>> = {
  stripe: openStripeProvider,
  sample: openSampleProvider,
}

/** @throws {StartError} if the provider's settings are missing or wrong */
export async function openPaymentProvider(name: PaymentProvider['name']): Promise<OpenedProvider> {
  return openByName[name]()
}
