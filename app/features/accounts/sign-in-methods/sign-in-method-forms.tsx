import { type ReactNode, useId } from 'react'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import type { AccountFormSuccess } from '../form/form-result'
import type { PageForms } from '../security/page-forms'
import { SignOutOthersCheckbox } from '../security/security-page'

type SignInMethodFormProps = {
  /** Hidden fields, which tell the route action what to do. */
  fields: Record<string, string>
  pageForms: PageForms
  children: ReactNode
}

/** A form of the page, which shows its own error. */
export function SignInMethodForm({ fields, pageForms, children }: SignInMethodFormProps) {
  const formId = useId()
  const { onSuccess } = pageForms
  const form = useForm<AccountFormSuccess>({ onSuccess, shouldRevalidate: false })
  const error = pageForms.isErrorOutdated(formId) ? undefined : form.errors.form

  return (
    // The server checks the name of a passkey, so the browser does not.
    <Form
      form={form}
      hiddenValues={fields}
      noValidate
      onSubmit={() => pageForms.markAsSent(formId)}
    >
      <fieldset disabled={form.isBusy} className="grid justify-items-start gap-3">
        {children}
        {error && <Notice variant="bad">{error}</Notice>}
      </fieldset>
    </Form>
  )
}

/** Asks for confirmation before it removes a sign-in method. */
export function RemoveForm({
  name,
  fields,
  pageForms,
}: {
  name: string
  fields: Record<string, string>
  pageForms: PageForms
}) {
  return (
    <details>
      <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Remove ${name}`}>
        Remove
      </summary>
      <SignInMethodForm fields={fields} pageForms={pageForms}>
        <SignOutOthersCheckbox />
        <Button type="submit" variant="danger">
          Remove {name}
        </Button>
      </SignInMethodForm>
    </details>
  )
}
