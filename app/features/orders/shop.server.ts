import type { Database } from '~/server/database/client.server'
import type { orders } from '~/server/database/schema'
import type { Waiver } from './checkout/withdrawal-waiver'
import type { PaymentProvider } from './payments/payment-provider.server'
import type { TaxRates } from './receipts/tax'
import type { RefundDays } from './refunds/refund-options'

export type Order = typeof orders.$inferSelect

/** Who sells, and by what. First argument of everything about orders. */
export type Shop = {
  db: Database
  provider: PaymentProvider
  publicUrl: string
  /** ISO 4217. */
  currency: string
  taxRates: TaxRates
  seller: Seller
  refundDays: RefundDays
  /** Null where checkout asks for none. */
  waiver: Waiver | null
  /** Called after a mail was committed to the outbox. */
  wakeEmailSender(): void
}

/** As receipts name it. */
type Seller = { name: string; address: string; taxId: string }
