import type { FetcherFormProps } from 'react-router'
import type { FormState } from './use-form'

type FormProps = Omit<FetcherFormProps, 'ref' | 'method'> & {
  form: FormState
  /** Fields that are sent along and not shown. */
  hiddenValues?: Readonly<Record<string, string>>
}

/**
 * A form whose state is in `useForm`. It works without a script as well.
 *
 * `onSubmit` can call `preventDefault` to keep the form from being sent.
 */
export function Form({
  form,
  hiddenValues = {},
  onSubmit,
  onInput,
  children,
  ...attributes
}: FormProps) {
  const { Form: FetcherForm } = form.fetcher
  return (
    <FetcherForm
      // The browser's own messages would hide ours.
      noValidate={form.hasValidation}
      {...attributes}
      ref={form.ref}
      method="post"
      onSubmit={(event) => {
        onSubmit?.(event)
        if (!event.defaultPrevented) {
          form.handleSubmit(event)
        }
      }}
      onInput={(event) => {
        form.handleInput(event)
        onInput?.(event)
      }}
    >
      <HiddenFields values={hiddenValues} />
      {children}
    </FetcherForm>
  )
}

export function HiddenFields({ values }: { values: Readonly<Record<string, string>> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}
