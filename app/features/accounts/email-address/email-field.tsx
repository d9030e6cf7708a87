import { Field } from '~/ui/field'

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
