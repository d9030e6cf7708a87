import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { Field } from '~/ui/form/field'
import type { FieldErrors } from '~/ui/form/form-result'
import { useHydrated } from '~/ui/hooks'
import { getPasswordStrength, getStrongLength, type PasswordStrength } from '../account-rules'
import { useAuth } from '../session/auth-provider'

type NameFieldsProps = {
  names?: { firstName?: string; lastName?: string }
  errors: FieldErrors
  /**
   * False for people who came by another sign-in provider, because some of them have only one name.
   */
  isLastNameRequired?: boolean
}

/** The two names stand side by side where there is room. Each is written in its own direction. */
export function NameFields({ names, errors, isLastNameRequired = true }: NameFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="First name"
        name="firstName"
        autoComplete="given-name"
        dir="auto"
        required
        defaultValue={names?.firstName}
        error={errors.firstName}
      />
      <Field
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        dir="auto"
        required={isLastNameRequired}
        defaultValue={names?.lastName}
        error={errors.lastName}
      />
    </div>
  )
}

type EmailFieldProps = Pick<ComponentProps<typeof Field>, 'error' | 'autoComplete' | 'onFocus'>

/** The email field. Password managers also use its value as the name of the account. */
export function EmailField({
  submittedEmail,
  error,
  ...fieldProps
}: { submittedEmail?: string } & EmailFieldProps) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      defaultValue={submittedEmail}
      error={error}
      {...fieldProps}
    />
  )
}

/** A password input whose characters can be shown. */
export function PasswordField(fieldProps: Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>) {
  const [isVisible, setIsVisible] = useState(false)
  const isHydrated = useHydrated()

  return (
    <Field
      {...fieldProps}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        // The button's label does not contain the word 'password'. A screen reader that searches
        // for that word therefore finds only the field.
        <button
          type="button"
          disabled={!isHydrated}
          aria-label={isVisible ? 'Hide characters' : 'Show characters'}
          onClick={() => setIsVisible(!isVisible)}
          className="min-h-9 rounded-control px-2.5 font-semibold text-muted text-sm hover:bg-sunken hover:text-ink noscript:hidden"
        >
          {isVisible ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}

type NewPasswordFieldsProps = {
  label: string
  /** The smallest number of characters, which the setting `PASSWORD_MIN_LENGTH` contains. */
  minLength: number
  errors: FieldErrors
}

/** Asks for a new password twice and shows its strength. */
export function NewPasswordFields({ label, minLength, errors }: NewPasswordFieldsProps) {
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  // The password may have been entered before hydration.
  useEffect(() => setPassword(input.current?.value ?? ''), [])
  const advice = usePasswordAdvice(password, minLength, input)

  return (
    <>
      <PasswordField
        ref={input}
        label={label}
        name="password"
        autoComplete="new-password"
        minLength={minLength}
        error={errors.password}
        onChange={(event) => setPassword(event.target.value)}
        hint={<PasswordMeter password={password} minLength={minLength} advice={advice} />}
      />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        minLength={minLength}
        error={errors.confirmPassword}
      />
    </>
  )
}

/**
 * Returns why the entered password is easy to guess, or null. The code that checks the password is
 * loaded once a password is long enough.
 */
function usePasswordAdvice(
  password: string,
  minLength: number,
  input: RefObject<HTMLInputElement | null>,
): string | null {
  const { user } = useAuth()
  const [advice, setAdvice] = useState<string | null>(null)
  useEffect(() => {
    const form = input.current?.form
    if (!form || password.length < minLength) {
      setAdvice(null)
      return
    }

    let isOutdated = false
    // The name and email are in the form of a new account, or belong to the signed-in learner.
    const personalData = { ...user, ...Object.fromEntries(new FormData(form)) }
    void import('../password/password-advice')
      .then(({ getPasswordAdvice }) => getPasswordAdvice(password, personalData))
      .then((latestAdvice) => {
        if (!isOutdated) {
          setAdvice(latestAdvice)
        }
      })
      // Without a connection, there is no advice.
      .catch(() => {})

    return () => {
      isOutdated = true
    }
  }, [password, minLength, input, user])

  return advice
}

const strengthDisplays = {
  none: { bars: 0, barClass: 'bg-line', wordClass: 'text-muted' },
  weak: { bars: 1, barClass: 'bg-bad', wordClass: 'text-bad' },
  medium: { bars: 2, barClass: 'bg-warn', wordClass: 'text-warn' },
  strong: { bars: 3, barClass: 'bg-good', wordClass: 'text-good' },
} as const satisfies Record<PasswordStrength, object>

type PasswordMeterProps = { password: string; minLength: number; advice: string | null }

/** Shows the password strength as a word and three bars, and how to improve it. */
function PasswordMeter({ password, minLength, advice }: PasswordMeterProps) {
  const strength = getPasswordStrength(password, minLength)
  const { bars, barClass, wordClass } = strengthDisplays[strength]

  return (
    <div data-strength={strength}>
      <div aria-hidden="true" className="mt-1 mb-2 grid grid-cols-3 gap-1.5">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={`h-1.5 rounded-full ${bar <= bars ? barClass : 'bg-line'}`} />
        ))}
      </div>
      <p aria-live="polite">
        Password strength: <strong className={wordClass}>{strength}</strong>
        {advice && <span className="block font-medium text-warn">{advice}</span>}
      </p>
      <p>
        For a strong password, use {getStrongLength(minLength)} or more characters with a lowercase
        letter, an uppercase letter and a digit.
      </p>
    </div>
  )
}

type CodeFieldProps = Pick<
  ComponentProps<typeof Field>,
  'label' | 'hint' | 'error' | 'autoFocus'
> & {
  /** Whether the code has digits only, so that phones show a keyboard with digits. */
  isNumeric?: boolean
}

/** A field for a code of an app, a recovery code, or an emailed code. */
export function CodeField({ isNumeric = false, ...fieldProps }: CodeFieldProps) {
  return (
    <Field
      {...fieldProps}
      name="code"
      autoComplete="one-time-code"
      inputMode={isNumeric ? 'numeric' : 'text'}
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}
