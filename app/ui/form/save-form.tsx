import type { ReactNode } from 'react'
import { Button } from '../button'
import { Notice } from '../notice'
import { Form } from './form'
import type { FormResult } from './form-result'
import { useForm } from './use-form'

/** What a page with several forms passes to each of them. */
export type SaveFormProps = {
  /** The result of this form if it was submitted without a script. */
  initialResult: FormResult | undefined
  onUnsavedChange(hasUnsavedChanges: boolean): void
}

type Props = SaveFormProps & {
  id?: string
  action: string
  button: string
  savedText: string
  className: string
  children: ReactNode
}

/** One of several forms on a page. It saves on its own, and shows the outcome beside its button. */
export function SaveForm({
  button,
  savedText,
  initialResult,
  onUnsavedChange,
  children,
  ...attributes
}: Props) {
  const form = useForm({ initialResult, onSuccess: () => onUnsavedChange(false) })

  function handleInput() {
    form.clear()
    onUnsavedChange(true)
  }

  return (
    <Form form={form} onInput={handleInput} {...attributes}>
      {children}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" disabled={form.isBusy} className="min-w-40">
          {form.isBusy ? 'Saving...' : button}
        </Button>
        {form.result?.done && <Notice variant="good">{savedText}</Notice>}
        {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
      </div>
    </Form>
  )
}
