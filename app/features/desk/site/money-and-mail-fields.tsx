import type { ReactNode } from 'react'
import { Field, SelectField, TextAreaField } from '~/ui/field'
import { useTyped } from '../desk-parts'

type Seller = { name: string; address: string; taxId: string }
type Sender = { name: string; address: string }

export function SellerFields({ seller }: { seller: Seller }) {
  const typed = useTyped('seller')
  return (
    <>
      <p className="text-muted">Receipts name it. Those that were issued keep the seller that they have.</p>
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

export function CurrencyFields({ currency, currencies }: { currency: string; currencies: readonly string[] }) {
  const typed = useTyped('currency')
  return (
    <>
      <p className="text-muted">
        Prices keep their numbers: 49 dollars become 49 euros. Orders, receipts and refunds keep the currency that they
        were made in, figures of revenue count the new one only, and coupons over an amount in the former one no longer
        count.
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
        hint="One that your mail server may send from, or it refuses the mail."
      />
    </>
  )
}

const choices = { own: 'Learnify’s own', real: 'The school’s real ones', off: 'None' } as const
type Choice = keyof typeof choices

export function HomeFields({ home }: { home: { numbers: Choice; testimonials: Choice } }) {
  const typed = useTyped('home')
  const options: ReactNode = Object.entries(choices).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
  return (
    <>
      <SelectField
        label="Numbers"
        name="numbers"
        defaultValue={typed?.numbers ?? home.numbers}
        hint="The real ones are learners, courses, lessons, certificates, fields and languages. One that is 0 is left out."
      >
        {options}
      </SelectField>
      <SelectField
        label="Testimonials"
        name="testimonials"
        defaultValue={typed?.testimonials ?? home.testimonials}
        hint="The real ones are the latest reviews of four and five stars with a sentence or more, by learners who show their name."
      >
        {options}
      </SelectField>
    </>
  )
}
