import { FileText } from 'lucide-react'
import { ButtonLink } from '~/ui/button'

/** In Settings: the way to orders and receipts. */
export function PurchasesSection() {
  return (
    <section aria-labelledby="purchases-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="purchases-title" className="font-bold text-lg">
        Purchases
      </h2>
      <div className="mt-3 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
        <p className="text-muted">The courses you bought, with their receipts.</p>
        <ButtonLink to="/Profile/purchases" variant="secondary">
          <FileText aria-hidden="true" size={18} /> See your purchases
        </ButtonLink>
      </div>
    </section>
  )
}
