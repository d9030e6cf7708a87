import type { ConnectedProvider, PaymentProvider } from './payment-provider.server'

/**
 * Returns a provider of which every request fails, as if it could not be reached. It stands in for
 * a provider that an owner has chosen and that can't be opened: courses stay for sale, checkout
 * says that nothing can be paid for right now, and events and refunds are tried again later.
 *
 * @param problem the sentence of the error, for the log
 */
export function openFailingProvider(
  name: PaymentProvider['name'],
  problem: string,
): ConnectedProvider {
  const fail = async (): Promise<never> => {
    throw new Error(problem)
  }

  const provider: PaymentProvider = {
    name,
    createPaymentPage: fail,
    readPayment: fail,
    closePaymentPage: fail,
    sendRefund: fail,
    readSignedEvent: fail,
    listRefundEvents: fail,
  }

  return { provider, close: () => {} }
}
