import { useState } from 'react'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { FormOutcome } from '../form/account-page'
import { NewPasswordFields, PasswordField } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import { SignOutOthersCheckbox } from './security-page'

type PasswordChangeFormProps = {
  email: string
  minLength: number
  result: AccountFormResult | undefined
}

/** The form 'Change password'. */
export function PasswordChangeForm({ email, minLength, result }: PasswordChangeFormProps) {
  /** The number is a key of the fields, so that each change empties them. */
  const [changeCount, setChangeCount] = useState(0)
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(passwordChangeForm(minLength), formData).errors,
    initialResult: result,
    onSuccess: () => setChangeCount((count) => count + 1),
  })

  return (
    <Form form={form} action="/Profile/settings?form=password#security" className="mt-3">
      <fieldset key={changeCount} disabled={form.isBusy} className="grid max-w-xl gap-5">
        <legend className="mb-4 font-bold">Change password</legend>
        {/* Password managers read the account's email from this hidden field. */}
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors.currentPassword}
        />
        <NewPasswordFields label="New password" minLength={minLength} errors={form.errors} />
        <SignOutOthersCheckbox />
      </fieldset>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" disabled={form.isBusy} className="min-w-40">
          {form.isBusy ? 'Saving...' : 'Change password'}
        </Button>
        {(form.notice || form.errors.form) && (
          <FormOutcome error={form.errors.form} notice={form.notice} />
        )}
      </div>
    </Form>
  )
}
