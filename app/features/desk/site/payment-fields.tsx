import { Field, SelectField } from '~/ui/form/field'
import { Notice } from '~/ui/notice'
import { useFieldErrors, useSubmittedValues } from '../desk-context'

type PaymentFieldsProps = {
  payments: {
    mode: 'off' | 'sample' | 'stripe'
    /** Whether nothing can be bought, although payments are on for earlier orders. */
    isPaused: boolean
    /** Whether payments may be off, which makes all courses free. */
    canBeOff: boolean
    /** What the desk shows of each saved key. Null if no keys are saved. */
    savedKeyLabels: { secretKey: string; webhookSecret: string } | null
    /** Whether this server can decrypt the saved keys. */
    areKeysReadable: boolean
    /** Why payments don't work. Null if nothing is wrong. */
    problem: string | null
    canUseSample: boolean
    /** The payments and refunds that another provider or another account would not know. */
    unsettledCount: number
    /** The URL to which Stripe has to send its events. */
    webhookUrl: string
  }
}

/** Chooses how courses are paid for, and replaces or removes the keys of Stripe. */
export function PaymentFields({ payments }: PaymentFieldsProps) {
  const { mode, isPaused, canBeOff, canUseSample, problem, unsettledCount, webhookUrl } = payments
  const { savedKeyLabels, areKeysReadable } = payments
  const submittedValues = useSubmittedValues('payments')
  const errors = useFieldErrors('payments')
  const isOn = mode !== 'off'
  const needsConfirmation =
    (submittedValues?.mode === 'off' && isOn) ||
    (submittedValues?.mode === 'paused' && isOn && !isPaused)

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
        defaultValue={submittedValues?.mode ?? (isPaused ? 'paused' : mode)}
        error={errors.mode}
        hint="While sales are paused, buyers still get their money back."
      >
        {canBeOff && <option value="off">Not at all: courses are free</option>}
        {isOn && (
          <option value="paused">Sales are paused: courses with a price can’t be bought</option>
        )}
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
            {savedKeyLabels && (
              <SavedKey label={savedKeyLabels.secretKey} isReadable={areKeysReadable} />
            )}
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
            {savedKeyLabels && (
              <SavedKey label={savedKeyLabels.webhookSecret} isReadable={areKeysReadable} />
            )}
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
      {needsConfirmation && (
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name="confirmStop" className="size-5 shrink-0 accent-accent" />
          Stop selling courses
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

function SavedKey({ label, isReadable }: { label: string; isReadable: boolean }) {
  return (
    <span className="block">
      Saved: <code>{label}</code>.{' '}
      {isReadable ? (
        <span>Leave the field empty to keep it.</span>
      ) : (
        <span>This server can’t decrypt it, so payments need it again.</span>
      )}
    </span>
  )
}
