import type { FieldErrors } from '~/ui/action-result'
import { Field } from '~/ui/field'
import { mayBeCut } from '../social/social-names'
import { nameMayBeCut } from './form-messages'

type NameFieldsProps = { names?: { firstName?: string; lastName?: string }; errors: FieldErrors }

function cutHint(name = ''): string | undefined {
  return mayBeCut(name) ? nameMayBeCut : undefined
}

/** Side by side where there is room; names run in the direction of their script. */
export function NameFields({ names, errors }: NameFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="First name"
        name="firstName"
        autoComplete="given-name"
        dir="auto"
        required
        defaultValue={names?.firstName}
        hint={cutHint(names?.firstName)}
        error={errors.firstName}
      />
      <Field
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        dir="auto"
        required
        defaultValue={names?.lastName}
        hint={cutHint(names?.lastName)}
        error={errors.lastName}
      />
    </div>
  )
}

/** Also what password managers take for the name of the account. */
export function EmailField({ typed, error }: { typed?: string; error?: string }) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      defaultValue={typed}
      error={error}
    />
  )
}
