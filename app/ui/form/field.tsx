import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

type FieldProps = { label: string; error?: string; hint?: ReactNode }

type InputProps = ComponentProps<'input'> &
  FieldProps & {
    /** Stands inside the right end of the input, for example a button that reveals the password. */
    trailing?: ReactNode
  }

/** A labeled input. Screen readers read its error and its hint together with it. */
export function Field({ trailing, className, ...field }: InputProps) {
  const { frameProps, controlProps } = useFieldProps(field)
  return (
    <Frame {...frameProps} className={className}>
      <input
        {...controlProps}
        className={`${controlProps.className} read-only:bg-sunken ${trailing ? 'pr-16' : ''}`}
      />
      {trailing && (
        <div className="absolute inset-y-0 right-0 flex items-center pr-1.5">{trailing}</div>
      )}
    </Frame>
  )
}

/** A labeled multi-line input. */
export function TextAreaField({ className, ...field }: ComponentProps<'textarea'> & FieldProps) {
  const { frameProps, controlProps } = useFieldProps(field)
  return (
    <Frame {...frameProps} className={className}>
      <textarea
        {...controlProps}
        className={`${controlProps.className} field-sizing-content max-h-96 min-h-32`}
      />
    </Frame>
  )
}

/** A labeled native select. */
export function SelectField({ className, ...field }: ComponentProps<'select'> & FieldProps) {
  const { frameProps, controlProps } = useFieldProps(field)
  return (
    <Frame {...frameProps} className={className}>
      <select
        {...controlProps}
        className={`${controlProps.className} appearance-none truncate pr-9`}
      />
      <ChevronDown
        aria-hidden="true"
        size={18}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
      />
    </Frame>
  )
}

/** Splits a field's props into those of its frame and those of the input, text area or select. */
function useFieldProps<Props extends FieldProps & { id?: string }>({
  label,
  error,
  hint,
  id,
  ...control
}: Props) {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const frameProps = { id: controlId, label, error, hint }
  const descriptionIds = [error && `${controlId}-error`, hint && `${controlId}-hint`]
  const attributes = {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': descriptionIds.filter(Boolean).join(' ') || undefined,
    className: `block min-h-12 w-full rounded-control border bg-surface px-3.5 py-2.5 text-ink placeholder:text-muted disabled:opacity-60 ${error ? 'border-bad' : 'border-edge'}`,
  }

  return { frameProps, controlProps: { id: controlId, ...attributes, ...control } }
}

type FrameProps = FieldProps & { id: string; className?: string; children: ReactNode }

/** Shows the label above a control, and the error and the hint below it. */
function Frame({ id, label, error, hint, className, children }: FrameProps) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <div className="relative">{children}</div>
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
    </div>
  )
}
