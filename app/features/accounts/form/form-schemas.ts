import * as z from 'zod/mini'
import { resetNeedsEmail } from '../account-errors'
import { accountLimits, passwordLength } from '../account-rules'
import { timeZones } from '../settings/time-zones'
import { fieldMessages } from './form-messages'
import {
  directionControls,
  findInvisibleCharacter,
  hasVisibleCharacter,
  hasVisibleLetter,
} from './visible-text'

/* These schemas validate every account form, with the messages of the specification. The browser and the server use the same schemas. */

const storable = (value: string) => !value.includes('\0')

/** Treats a missing field like an empty one, so that both have the same message. */
const text = z.catch(z.string(), '')

/** @param isOptional allows an empty name */
export function nameField(name: 'firstName' | 'lastName', isOptional = false) {
  const messages = fieldMessages[name]
  const isVisible = name === 'firstName' ? hasVisibleLetter : hasVisibleCharacter

  return z.pipe(
    text,
    z.string().check(
      z.trim(),
      z.minLength(isOptional ? 0 : 1, messages.required),
      z.maxLength(accountLimits.name, messages.tooLong),
      z.refine(
        (value) => oneLine(value) && value.search(directionControls) < 0,
        fieldMessages.notStorable,
      ),
      z.refine((value) => (isOptional && value === '') || isVisible(value), messages.notVisible),
    ),
  )
}

/** Treats a missing field like an empty one. An empty field is stored as null. */
const optional = z.pipe(text, z.string().check(z.trim()))
const emptyIsNull = z.transform((value: string) => value || null)
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
const oneLine = (value: string) => !/[\u0000-\u001f\u007f]/.test(value)
const phoneShape = /^\+?[\p{Nd}\s().\-/]*$/u
const digits = (value: string) => value.match(/\p{Nd}/gu)?.length ?? 0

/**
 * The fields that learners may change in their record, by the settings form and by the user
 * document.
 */
export const profileFields = {
  firstName: nameField('firstName'),
  lastName: nameField('lastName'),
  phone: z.pipe(
    z.pipe(
      optional,
      z.string().check(
        z.maxLength(accountLimits.phone, fieldMessages.phone.tooLong),
        z.refine(
          (value) => value === '' || (phoneShape.test(value) && digits(value) >= 5),
          fieldMessages.phone.invalid,
        ),
      ),
    ),
    emptyIsNull,
  ),
  location: z.pipe(
    z.pipe(
      optional,
      z
        .string()
        .check(
          z.maxLength(accountLimits.location, fieldMessages.location.tooLong),
          z.refine(oneLine, fieldMessages.notStorable),
        ),
    ),
    emptyIsNull,
  ),
  timezone: z.enum(
    timeZones.map(({ name }) => name),
    { error: fieldMessages.timezone },
  ),
}

/**
 * Checks an email address roughly, because only the email service knows whether it can be reached.
 * The length is checked first, because it bounds the work of the pattern.
 */
function looksRight(email: string): boolean {
  return email.length <= accountLimits.email && storable(email) && /^\S+@\S+\.\S+$/.test(email)
}

function emailField(required: string = fieldMessages.email.required) {
  return z.pipe(
    text,
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, required),
      z.refine((email) => !findInvisibleCharacter(email), {
        error: ({ input }) =>
          fieldMessages.email.invisible(findInvisibleCharacter(String(input)) ?? ''),
      }),
      z.refine(looksRight, fieldMessages.email.invalid),
    ),
  )
}

/** @param minLength for a new password, which may have to be longer than the specification asks. */
const passwordField = (minLength: number = passwordLength.min) =>
  z.pipe(
    text,
    z
      .string()
      .check(
        z.minLength(1, fieldMessages.password.required),
        z.minLength(minLength, fieldMessages.password.tooShort(minLength)),
        z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
        z.refine(storable, fieldMessages.notStorable),
      ),
  )

/** A checkbox sends 'on' or nothing. */
const tickField = z.pipe(
  text,
  z.transform((value) => value === 'on'),
)

/** Requires both passwords to be equal, as the specification says. */
const confirmation = {
  field: z.pipe(text, z.string().check(z.minLength(1, fieldMessages.confirmPassword.required))),
  check: z.refine<{ password: string; confirmPassword: string }>(
    ({ password, confirmPassword }) => confirmPassword === '' || password === confirmPassword,
    { error: fieldMessages.confirmPassword.different, path: ['confirmPassword'], when: () => true },
  ),
}

export const loginForm = z.object({
  email: emailField(),
  password: passwordField(),
  rememberMe: tickField,
})

/** The same form, sent by its button 'Forgot password?'. */
export const forgottenPasswordForm = z.object({ email: emailField(resetNeedsEmail) })

/** @param minLength the setting `PASSWORD_MIN_LENGTH`, also in the forms below. */
export const signUpForm = (minLength: number) =>
  z
    .object({
      firstName: nameField('firstName'),
      lastName: nameField('lastName'),
      email: emailField(),
      password: passwordField(minLength),
      confirmPassword: confirmation.field,
      terms: z.pipe(tickField, z.literal(true, { error: fieldMessages.terms })),
    })
    .check(confirmation.check)

/** Validates the form that requests a reset link. */
export const resetRequestForm = z.object({ email: emailField() })

/** Validates the form that sets the new password, with the token from the link. */
export const newPasswordForm = (minLength: number) =>
  z
    .object({
      token: z.string().check(z.maxLength(200)),
      password: passwordField(minLength),
      confirmPassword: confirmation.field,
    })
    .check(confirmation.check)

/** Validates the form of the settings that replaces the password. */
export const passwordChangeForm = (minLength: number) =>
  z
    .object({
      currentPassword: z.pipe(
        text,
        z
          .string()
          .check(
            z.minLength(1, fieldMessages.password.required),
            z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
          ),
      ),
      password: passwordField(minLength),
      confirmPassword: confirmation.field,
      endOthers: tickField,
    })
    .check(confirmation.check)

/** The profile's settings, without the photo, which is checked by its bytes. */
const settingsForm = z.object({
  ...profileFields,
  /** An empty value follows the browser; a missing one leaves the stored value. */
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
  removePhoto: tickField,
})

/**
 * For an account without a last name, which came by Google or by an import: the rest can be saved
 * without one, too.
 */
const settingsFormOfOneName = z.extend(settingsForm, { lastName: nameField('lastName', true) })

/** @param saved the account as it is stored. */
export function settingsFormFor(saved: { lastName: string }) {
  return saved.lastName === '' ? settingsFormOfOneName : settingsForm
}

export type SettingsFields = z.infer<typeof settingsForm>
