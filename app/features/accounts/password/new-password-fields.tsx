import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '~/ui/action-result'
import { PasswordField } from './password-field'
import { PasswordMeter } from './password-meter'

/** A password that is typed twice, with its strength. */
export function NewPasswordFields({ label, errors }: { label: string; errors: FieldErrors }) {
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  // It may have been typed before the page's script came.
  useEffect(() => setPassword(input.current?.value ?? ''), [])
  return (
    <>
      <PasswordField
        ref={input}
        label={label}
        name="password"
        autoComplete="new-password"
        error={errors.password}
        onChange={(event) => setPassword(event.target.value)}
        hint={<PasswordMeter password={password} />}
      />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </>
  )
}
