import type { Database } from '~/server/database/client.server'
import type { Waiver } from './checkout/checkout-form'
import type { PaymentProvider } from './payments/payment-provider.server'
import type { TaxRates } from './receipts/tax'
import type { RefundPeriods } from './refunds/refund-options'

/** The school as a seller: what functions about orders work with. */
export type Shop = {
  db: Database
  provider: PaymentProvider
  /** The school's own URL, with which absolute links begin. */
  publicUrl: string
  currency: string
  taxRates: TaxRates
  /** The seller as receipts name it. */
  seller: { name: string; address: string; taxId: string }
  /** The number of days after paying in which a buyer can request each kind of refund. */
  currentRefundPeriods: RefundPeriods
  /** The box about the right of withdrawal, or null if checkout shows none. */
  waiver: Waiver | null
  /** Call it after an email was committed to the outbox, so that the email is sent at once. */
  wakeEmailSender(): void
}
