import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { useTyped } from '../desk-parts'

type Seller = { name: string; address: string; taxId: string }
type Sender = { name: string; address: string }

export function SellerFields({ seller }: { seller: Seller }) {
  const typed = useTyped('seller')
  return (
    <>
      <p className="text-muted">Shown on receipts. Issued receipts keep their seller.</p>
      <Field
        label="Name of the seller"
        name="name"
        defaultValue={typed?.name ?? seller.name}
        maxLength={120}
        required
      />
      <TextAreaField
        label="Address"
        name="address"
        defaultValue={typed?.address ?? seller.address}
        maxLength={500}
        rows={4}
      />
      <Field
        label="Tax number"
        name="taxId"
        defaultValue={typed?.taxId ?? seller.taxId}
        maxLength={60}
        autoComplete="off"
      />
    </>
  )
}

export function CurrencyFields({
  currency,
  currencies,
}: {
  currency: string
  currencies: readonly string[]
}) {
  const typed = useTyped('currency')
  return (
    <>
      <p className="text-muted">
        Prices keep their numbers: 49 dollars become 49 euros. Orders, receipts and refunds keep the
        currency that they were made in. Revenue figures count only the new one, and coupons for an
        amount in the old one no longer work.
      </p>
      <SelectField label="Currency" name="currency" defaultValue={typed?.currency ?? currency}>
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </SelectField>
    </>
  )
}

export function SenderFields({ sender }: { sender: Sender }) {
  const typed = useTyped('sender')
  return (
    <>
      <Field
        label="Name of the sender"
        name="name"
        defaultValue={typed?.name ?? sender.name}
        maxLength={80}
        required
        autoComplete="off"
      />
      <Field
        label="Address of the sender"
        name="address"
        type="email"
        defaultValue={typed?.address ?? sender.address}
        maxLength={254}
        required
        autoComplete="off"
        hint="Your mail server has to accept it as a sender."
      />
    </>
  )
}
