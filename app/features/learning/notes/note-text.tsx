import { type ComponentProps, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { noteLimits } from './note-form'

/** Where a note is written; Ctrl+Enter sends it. */
export function NoteText({
  label,
  fieldId,
  focus,
  field: given,
  ...text
}: {
  label: string
  fieldId: string
  focus?: boolean
  field?: RefObject<HTMLTextAreaElement | null>
} & Pick<ComponentProps<'textarea'>, 'defaultValue' | 'value' | 'onChange'>) {
  const own = useRef<HTMLTextAreaElement>(null)
  const field = given ?? own
  useEffect(() => {
    if (focus) {
      field.current?.focus()
    }
  }, [focus, field])
  const submit = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      field.current?.form?.requestSubmit()
    }
  }

  return (
    <>
      <label htmlFor={fieldId} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        ref={field}
        id={fieldId}
        name="body"
        // Text that the browser restored after a reload isn't new input.
        autoComplete="off"
        required
        maxLength={noteLimits.body}
        rows={3}
        {...text}
        onKeyDown={submit}
        className="block w-full rounded-control border border-edge bg-surface px-3.5 py-2.5"
      />
    </>
  )
}

export function NoteProblem({ answer }: { answer: FormResult | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-bad">
      {getFieldErrors(answer).form}
    </p>
  )
}
