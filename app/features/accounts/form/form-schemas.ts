/**
 * Schemas of the account forms, with the specification's messages. The browser and the server use
 * the same schemas.
 */
import * as z from 'zod/mini'
import { resetEmailRequiredMessage } from '../account-errors'
import { accountLimits, passwordLength } from '../account-rules'
import { containsEmail } from '../full-name'
import { timeZones } from '../settings/time-zones'
import { fieldMessages } from './form-messages'
import {
  directionControls,
  findInvisibleCharacter,
  hasVisibleCharacter,
  hasVisibleLetter,
} from './visible-text'

/** PostgreSQL can't store a NUL character. */
const hasNoNul = (value: string) => !value.includes('\0')

/** Treats a missing field like an empty one, so that both cause the same message. */
const textField = z.catch(z.string(), '')

/**
 * Returns the schema of a name.
 *
 * @param isOptional allows an empty name
 */
export function nameField(name: 'firstName' | 'lastName', isOptional = false) {
  const messages = fieldMessages[name]
  const isVisible = name === 'firstName' ? hasVisibleLetter : hasVisibleCharacter

  return z.pipe(
    textField,
    z.string().check(
      z.trim(),
      z.minLength(isOptional ? 0 : 1, messages.required),
      z.maxLength(accountLimits.name, messages.tooLong),
      z.refine(
        (value) => hasNoControlCharacter(value) && value.search(directionControls) < 0,
        fieldMessages.notStorable,
      ),
      z.refine((value) => (isOptional && value === '') || isVisible(value), messages.notVisible),
      z.refine((value) => !containsEmail(value), messages.isEmail),
    ),
  )
}

const trimmedField = z.pipe(textField, z.string().check(z.trim()))

/** An empty field is stored as null. */
const emptyToNull = z.transform((value: string) => value || null)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
const hasNoControlCharacter = (value: string) => !/[\u0000-\u001f\u007f]/.test(value)

const phonePattern = /^\+?[\p{Nd}\s().\-/]*$/u
const minPhoneDigits = 5

function isPhoneNumber(value: string): boolean {
  const digitCount = value.match(/\p{Nd}/gu)?.length ?? 0
  return phonePattern.test(value) && digitCount >= minPhoneDigits
}

/**
 * The fields that learners may change in their record, by the settings form and by the user
 * document.
 */
export const profileFields = {
  firstName: nameField('firstName'),
  lastName: nameField('lastName'),
  phone: z.pipe(
    z.pipe(
      trimmedField,
      z.string().check(
        z.maxLength(accountLimits.phone, fieldMessages.phone.tooLong),
        z.refine((value) => value === '' || isPhoneNumber(value), fieldMessages.phone.invalid),
      ),
    ),
    emptyToNull,
  ),
  location: z.pipe(
    z.pipe(
      trimmedField,
      z
        .string()
        .check(
          z.maxLength(accountLimits.location, fieldMessages.location.tooLong),
          z.refine(hasNoControlCharacter, fieldMessages.notStorable),
        ),
    ),
    emptyToNull,
  ),
  timezone: z.enum(
    timeZones.map(({ name }) => name),
    { error: fieldMessages.timezone },
  ),
}

/**
 * Returns whether a text may be an email. Only an email that arrives can prove more. The length is
 * checked first, because it limits the time that the pattern takes.
 */
function looksLikeEmail(email: string): boolean {
  return email.length <= accountLimits.email && hasNoNul(email) && /^\S+@\S+\.\S+$/.test(email)
}

function emailField(requiredMessage: string = fieldMessages.email.required) {
  return z.pipe(
    textField,
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, requiredMessage),
      z.refine((email) => !findInvisibleCharacter(email), {
        error: ({ input }) =>
          fieldMessages.email.invisible(findInvisibleCharacter(String(input)) ?? ''),
      }),
      z.refine(looksLikeEmail, fieldMessages.email.invalid),
    ),
  )
}

/** @param minLength the minimum of new passwords, which may be above the specification's */
const passwordField = (minLength: number = passwordLength.min) =>
  z.pipe(
    textField,
    z
      .string()
      .check(
        z.minLength(1, fieldMessages.password.required),
        z.minLength(minLength, fieldMessages.password.tooShort(minLength)),
        z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
        z.refine(hasNoNul, fieldMessages.notStorable),
      ),
  )

/** A checkbox sends 'on' or nothing. */
const checkboxField = z.pipe(
  textField,
  z.transform((value) => value === 'on'),
)

const confirmPasswordField = z.pipe(
  textField,
  z.string().check(z.minLength(1, fieldMessages.confirmPassword.required)),
)

/** Requires both passwords to be equal, even if other fields are wrong. */
const requireEqualPasswords = z.refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => confirmPassword === '' || password === confirmPassword,
  { error: fieldMessages.confirmPassword.different, path: ['confirmPassword'], when: () => true },
)

/** Validates the login form when it is sent by its button 'Sign In'. */
export const loginForm = z.object({
  email: emailField(),
  password: passwordField(),
  rememberMe: checkboxField,
})

/** Validates the login form when it is sent by its button 'Forgot password?'. */
export const forgottenPasswordForm = z.object({ email: emailField(resetEmailRequiredMessage) })

/**
 * Validates the sign-up form.
 *
 * @param minLength the setting `PASSWORD_MIN_LENGTH`, here and in the forms below
 */
export const signUpForm = (minLength: number) =>
  z
    .object({
      firstName: nameField('firstName'),
      lastName: nameField('lastName'),
      email: emailField(),
      password: passwordField(minLength),
      confirmPassword: confirmPasswordField,
      terms: z.pipe(checkboxField, z.literal(true, { error: fieldMessages.terms })),
    })
    .check(requireEqualPasswords)

/** Validates the form that asks for the name which a sign-in provider didn't send. */
export const missingNameForm = z.object({
  firstName: nameField('firstName'),
  // Some people have only one name.
  lastName: nameField('lastName', true),
})

/** Validates the form that requests a reset link. */
export const resetRequestForm = z.object({ email: emailField() })

/** Validates the form that sets the new password, with the token from the link. */
export const newPasswordForm = (minLength: number) =>
  z
    .object({
      token: z.string().check(z.maxLength(200)),
      password: passwordField(minLength),
      confirmPassword: confirmPasswordField,
    })
    .check(requireEqualPasswords)

/** Validates the form of the settings that replaces the password. */
export const passwordChangeForm = (minLength: number) =>
  z
    .object({
      currentPassword: z.pipe(
        textField,
        z
          .string()
          .check(
            z.minLength(1, fieldMessages.password.required),
            z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
          ),
      ),
      password: passwordField(minLength),
      confirmPassword: confirmPasswordField,
      endOthers: checkboxField,
    })
    .check(requireEqualPasswords)

/** Validates the form of the settings, without the photo, which is checked by its bytes. */
const settingsForm = z.object({
  ...profileFields,
  /** An empty value means the browser's time zone. Without a value, the stored one stays. */
  timezone: z.optional(
    z.union(
      [
        z.pipe(
          z.literal(''),
          z.transform(() => null),
        ),
        profileFields.timezone,
      ],
      { error: fieldMessages.timezone },
    ),
  ),
  removePhoto: checkboxField,
})

/** Accounts that were created by Google or by an import may have no last name. */
const settingsFormWithoutLastName = z.extend(settingsForm, {
  lastName: nameField('lastName', true),
})

/** Returns the schema for the settings of an account. An existing last name can't be removed. */
export function getSettingsForm(storedAccount: { lastName: string }) {
  return storedAccount.lastName === '' ? settingsFormWithoutLastName : settingsForm
}

export type SettingsFields = z.infer<typeof settingsForm>
