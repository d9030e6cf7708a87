import type { ComponentProps } from 'react'
import { Field } from '~/ui/form/field'

type CodeFieldProps = Pick<
  ComponentProps<typeof Field>,
  'label' | 'hint' | 'error' | 'autoFocus'
> & {
  /** Of the app: six digits, for which phones show digits only. */
  digits?: boolean
}

/** A code that is typed, pasted or filled in by the browser; spaces and hyphens don't matter. */
export function CodeField({ digits = false, ...field }: CodeFieldProps) {
  return (
    <Field
      {...field}
      name="code"
      autoComplete="one-time-code"
      inputMode={digits ? 'numeric' : 'text'}
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}
