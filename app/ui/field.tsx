import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

const control =
  'block min-h-12 w-full rounded-control border bg-surface px-3.5 py-2.5 text-ink placeholder:text-muted disabled:opacity-60'

type FieldProps = { label: string; error?: string; hint?: ReactNode }
/** `trailing` stands inside the input's right end, for example a button that shows what was typed. */
type InputProps = ComponentProps<'input'> & FieldProps & { trailing?: ReactNode }

/** A labelled input; its error and hint are read out with it. */
export function Field({ label, error, hint, id, trailing, className = '', ...input }: InputProps) {
  const made = useId()
  const inputId = id ?? made
  return (
    <div className={className}>
      <label htmlFor={inputId} className="mb-1.5 block font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(inputId, { error, hint })}
          className={`${control} read-only:bg-sunken ${error ? 'border-bad' : 'border-edge'} ${trailing ? 'pr-16' : ''}`}
          {...input}
        />
        {trailing && <div className="absolute inset-y-0 right-0 flex items-center pr-1.5">{trailing}</div>}
      </div>
      <FieldNotes id={inputId} error={error} hint={hint} />
    </div>
  )
}

/** A labelled input of several lines. */
export function TextAreaField({
  label,
  error,
  hint,
  id,
  className = '',
  ...area
}: ComponentProps<'textarea'> & FieldProps) {
  const made = useId()
  const areaId = id ?? made
  return (
    <div className={className}>
      <label htmlFor={areaId} className="mb-1.5 block font-medium">
        {label}
      </label>
      <textarea
        id={areaId}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(areaId, { error, hint })}
        className={`${control} field-sizing-content max-h-96 min-h-32 ${error ? 'border-bad' : 'border-edge'}`}
        {...area}
      />
      <FieldNotes id={areaId} error={error} hint={hint} />
    </div>
  )
}

/** A labelled native select. */
export function SelectField({
  label,
  error,
  hint,
  id,
  className = '',
  ...select
}: ComponentProps<'select'> & FieldProps) {
  const made = useId()
  const selectId = id ?? made
  return (
    <div className={className}>
      <label htmlFor={selectId} className="mb-1.5 block font-medium">
        {label}
      </label>
      <div className="relative">
        <select
          id={selectId}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(selectId, { error, hint })}
          className={`${control} appearance-none truncate pr-9 ${error ? 'border-bad' : 'border-edge'}`}
          {...select}
        />
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </div>
      <FieldNotes id={selectId} error={error} hint={hint} />
    </div>
  )
}

function describedBy(id: string, { error, hint }: { error?: string; hint?: ReactNode }): string | undefined {
  return [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
}

function FieldNotes({ id, error, hint }: { id: string; error?: string; hint?: ReactNode }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-bad">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </div>
      )}
    </>
  )
}
