import { Field, TextAreaField } from '~/ui/form/field'
import type { FieldErrors } from '~/ui/form/form-result'
import { longestMessage, longestSender } from './gift'

type GiftFieldsProps = {
  submittedValues: Partial<Record<string, string>>
  errors: FieldErrors
  /** For a learner who has the course: it can only be given. */
  isOnlyGift: boolean
}

/** 'This is a gift', and below it whom it is for; without scripts, too. */
export function GiftFields({ submittedValues, errors, isOnlyGift }: GiftFieldsProps) {
  return (
    <fieldset className="group">
      <legend className="sr-only">Gift</legend>
      {isOnlyGift ? (
        <input type="hidden" name="gift" value="on" />
      ) : (
        <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            name="gift"
            defaultChecked={submittedValues.gift === 'on'}
            className="size-5 shrink-0 accent-accent"
          />
          This is a gift
        </label>
      )}
      <div
        className={
          isOnlyGift ? 'grid gap-5' : 'mt-3 hidden gap-5 group-has-[[name=gift]:checked]:grid'
        }
      >
        <Field
          label="The recipient’s email"
          name="recipientEmail"
          // Not of type 'email': a half-typed address would hold up the form after the box above is
          // cleared.
          inputMode="email"
          autoComplete="off"
          maxLength={254}
          defaultValue={submittedValues.recipientEmail}
          error={errors.recipientEmail}
          hint="They get a link by email as soon as the payment has arrived."
        />
        <Field
          label="Your name, as they read it"
          name="senderName"
          autoComplete="name"
          maxLength={longestSender}
          defaultValue={submittedValues.senderName}
          error={errors.senderName}
        />
        <TextAreaField
          label="A few words for them (optional)"
          name="message"
          maxLength={longestMessage}
          defaultValue={submittedValues.message}
          error={errors.message}
        />
      </div>
    </fieldset>
  )
}
