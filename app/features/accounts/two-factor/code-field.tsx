import type { ComponentProps } from 'react'
import { Field } from '~/ui/form/field'

type CodeFieldProps = Pick<
  ComponentProps<typeof Field>,
  'label' | 'hint' | 'error' | 'autoFocus'
> & {
  /** Whether the code has digits only, so that phones show a keyboard with digits. */
  isNumeric?: boolean
}

/** A field for a code of an app, a recovery code, or an emailed code. */
export function CodeField({ isNumeric = false, ...field }: CodeFieldProps) {
  return (
    <Field
      {...field}
      name="code"
      autoComplete="one-time-code"
      inputMode={isNumeric ? 'numeric' : 'text'}
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}
