import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'

type Seller = { name: string; address: string; taxId: string }
type Sender = { name: string; address: string }

export function SellerFields({ seller }: { seller: Seller }) {
  const submittedValues = useSubmittedValues('seller')
  return (
    <>
      <p className="text-muted">Shown on receipts. Issued receipts keep their seller.</p>
      <Field
        label="Name of the seller"
        name="name"
        defaultValue={submittedValues?.name ?? seller.name}
        maxLength={120}
        required
      />
      <TextAreaField
        label="Address"
        name="address"
        defaultValue={submittedValues?.address ?? seller.address}
        maxLength={500}
        rows={4}
      />
      <Field
        label="Tax number"
        name="taxId"
        defaultValue={submittedValues?.taxId ?? seller.taxId}
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
  const submittedValues = useSubmittedValues('currency')
  return (
    <>
      <p className="text-muted">
        Prices keep their numbers: 49 dollars become 49 euros. Coupons for an amount in the old
        currency no longer work. Once there is an order, the currency can’t be changed any more.
      </p>
      <SelectField
        label="Currency"
        name="currency"
        defaultValue={submittedValues?.currency ?? currency}
      >
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
  const submittedValues = useSubmittedValues('sender')
  return (
    <>
      <Field
        label="Name of the sender"
        name="name"
        defaultValue={submittedValues?.name ?? sender.name}
        maxLength={80}
        required
        autoComplete="off"
      />
      <Field
        label="Address of the sender"
        name="address"
        type="email"
        defaultValue={submittedValues?.address ?? sender.address}
        maxLength={254}
        required
        autoComplete="off"
        hint="Your mail server has to accept it as a sender."
      />
    </>
  )
}
