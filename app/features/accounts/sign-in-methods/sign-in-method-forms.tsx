import { type ReactNode, useId } from 'react'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import type { AccountFormSuccess } from '../form/form-result'
import type { PageForms } from '../security/page-forms'
import { SignOutOthersCheckbox } from '../security/security-page'

type SignInMethodFormProps = {
  /** The hidden fields, which say what the route action does: `intent` and the sign-in method. */
  hiddenValues: Record<string, string>
  pageForms: PageForms
  children: ReactNode
}

/**
 * A form of the page 'Ways to sign in'. It shows its own error until another form of the page is
 * sent. The page shows the success.
 */
export function SignInMethodForm({ hiddenValues, pageForms, children }: SignInMethodFormProps) {
  const formId = useId()
  const { onSuccess } = pageForms
  // `onSuccess` loads the page's data again, after the form has handled its result.
  const form = useForm<AccountFormSuccess>({ onSuccess, shouldRevalidate: false })
  const error = pageForms.isErrorOutdated(formId) ? undefined : form.errors.form

  return (
    // One of the forms has a field for the name of a passkey, which only the server checks.
    <Form
      form={form}
      hiddenValues={hiddenValues}
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

type RemoveFormProps = {
  /** The displayed name of the sign-in method. */
  methodName: string
  hiddenValues: Record<string, string>
  pageForms: PageForms
}

/** Asks for confirmation before it removes a sign-in method. */
export function RemoveForm({ methodName, hiddenValues, pageForms }: RemoveFormProps) {
  return (
    <details>
      <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Remove ${methodName}`}>
        Remove
      </summary>
      <SignInMethodForm hiddenValues={hiddenValues} pageForms={pageForms}>
        <SignOutOthersCheckbox />
        <Button type="submit" variant="danger">
          Remove {methodName}
        </Button>
      </SignInMethodForm>
    </details>
  )
}
