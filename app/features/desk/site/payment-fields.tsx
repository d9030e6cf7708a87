import { Field, SelectField } from '~/ui/form/field'
import { Notice } from '~/ui/notice'
import { useFieldErrors, useSubmittedValues } from '../desk-parts'

type PaymentFieldsProps = {
  payments: {
    mode: 'off' | 'sample' | 'stripe'
    /** What the desk shows of each saved key. Null if no keys are saved, or if they can't be read. */
    savedKeyLabels: { secretKey: string; webhookSecret: string } | null
    /** Why payments don't work. Null if nothing is wrong. */
    problem: string | null
    canUseSample: boolean
    /** The payments and refunds that another provider or another account would not know. */
    unsettledCount: number
    /** The URL to which Stripe has to send its events. */
    webhookUrl: string
  }
}

/** Chooses how courses are paid, and replaces or removes the keys of Stripe. */
export function PaymentFields({ payments }: PaymentFieldsProps) {
  const { mode, savedKeyLabels, problem, canUseSample, unsettledCount, webhookUrl } = payments
  const submittedValues = useSubmittedValues('payments')
  const errors = useFieldErrors('payments')

  return (
    <>
      {problem && (
        <Notice variant="bad" silent>
          {problem} Payments don’t work until you choose again or enter the keys again.
        </Notice>
      )}
      <SelectField
        label="How courses are paid for"
        name="mode"
        defaultValue={submittedValues?.mode ?? mode}
        error={errors.mode}
        hint="While payments are off, courses are free, and orders and refunds wait."
      >
        <option value="off">Not at all: courses are free</option>
        {(canUseSample || mode === 'sample') && (
          <option value="sample">Sample payments, which move no money</option>
        )}
        <option value="stripe">Stripe</option>
      </SelectField>
      <Field
        label="Stripe secret key"
        name="secretKey"
        error={errors.secretKey}
        hint={
          <>
            {savedKeyLabels && <SavedKey label={savedKeyLabels.secretKey} />}
            In Stripe’s dashboard under Developers, API keys. A key that begins with{' '}
            <code>sk_test_</code> takes no real money.
          </>
        }
        {...keyAttributes}
      />
      <Field
        label="Stripe webhook secret"
        name="webhookSecret"
        error={errors.webhookSecret}
        hint={
          <>
            {savedKeyLabels && <SavedKey label={savedKeyLabels.webhookSecret} />}
            In Stripe’s dashboard under Developers, Webhooks, at the endpoint{' '}
            <code className="[overflow-wrap:anywhere]">{webhookUrl}</code>.
          </>
        }
        {...keyAttributes}
      />
      {savedKeyLabels && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="remove"
            defaultChecked={submittedValues?.remove === 'on'}
            className="size-5 shrink-0 accent-accent"
          />
          Remove the saved keys
        </label>
      )}
      {unsettledCount > 0 && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="confirmUnsettled"
            className="size-5 shrink-0 accent-accent"
          />
          Change the payments although payments or refunds aren’t settled yet
        </label>
      )}
      <p className="text-muted text-sm">
        Keys are stored encrypted, never shown again, and deleted when they are replaced.
      </p>
    </>
  )
}

/** `new-password` keeps browsers from filling in the owner's own password. */
const keyAttributes = {
  type: 'password',
  autoComplete: 'new-password',
  spellCheck: false,
  maxLength: 400,
} as const

function SavedKey({ label }: { label: string }) {
  return (
    <span className="block">
      Saved: <code>{label}</code>. Leave the field empty to keep it.
    </span>
  )
}
