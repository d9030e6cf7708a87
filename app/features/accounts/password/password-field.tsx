import { type ComponentProps, useState } from 'react'
import { Field } from '~/ui/field'
import { useHydrated } from '~/ui/use-hydrated'

/** A password input whose characters can be shown. */
export function PasswordField(field: Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  const hydrated = useHydrated()
  return (
    <Field
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        // Its name lacks the word 'password' on purpose: the field's label is the only one that has it.
        <button
          type="button"
          disabled={!hydrated}
          aria-label={shown ? 'Hide characters' : 'Show characters'}
          onClick={() => setShown(!shown)}
          className="min-h-9 rounded-control px-2.5 font-semibold text-muted text-sm hover:bg-sunken hover:text-ink noscript:hidden"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
