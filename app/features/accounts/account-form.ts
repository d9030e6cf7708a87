import { type FormEvent, useRef, useState } from 'react'
import type { infer as infer_, ZodMiniType } from 'zod/mini'
import { checkForm, type FieldErrors } from './form-check'

/**
 * The state of a form of the accounts: its field errors, which leave when their field is edited, and whether it is being
 * sent. Fields are uncontrolled, so that what was typed before the script ran stays.
 *
 * @param first errors that the server found.
 */
export function useAccountForm<Schema extends ZodMiniType>(schema: Schema, first: FieldErrors = {}) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(first)
  const [submitting, setSubmitting] = useState(false)

  function showErrors(found: FieldErrors) {
    setErrors(found)
    const [name] = Object.keys(found)
    const field = name && form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  /** Runs `send` with what the form holds, once it is right. */
  async function submit(event: FormEvent<HTMLFormElement>, send: (entered: infer_<Schema>) => Promise<void>) {
    event.preventDefault()
    const checked = checkForm(schema, new FormData(event.currentTarget))
    if (checked.errors) return showErrors(checked.errors)
    setErrors({})
    setSubmitting(true)
    try {
      await send(checked.data)
    } finally {
      setSubmitting(false)
    }
  }

  function edited(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement
    if (!errors[name]) return
    const { [name]: _gone, ...others } = errors
    setErrors(others)
  }

  return { form, errors, showErrors, submitting, submit, edited }
}
