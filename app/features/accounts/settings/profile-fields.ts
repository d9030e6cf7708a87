import * as z from 'zod/mini'
import { accountLimits } from '../account-limits'
import { fieldMessages } from '../form/form-messages'
import { timeZones } from '../time-zone/time-zones'

/** What a learner may write into their record: the rules of the settings form and of the user document are these. */

export const storable = (value: string) => !value.includes('\0')

/** A missing field is an empty one, so that both have one message. */
export const text = z.catch(z.string(), '')

export function nameField(name: 'firstName' | 'lastName') {
  const messages = fieldMessages[name]
  return z.pipe(
    text,
    z.string().check(
      z.trim(),
      z.minLength(1, messages.required),
      z.maxLength(accountLimits.name, messages.tooLong),
      z.refine((value) => oneLine(value) && /[^\p{C}\p{Z}]/u.test(value), fieldMessages.notStorable),
    ),
  )
}

/** A missing field is an empty one; an empty one is stored as null. */
const optional = z.pipe(text, z.string().check(z.trim()))
const emptyIsNull = z.transform((value: string) => value || null)
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are refused.
const oneLine = (value: string) => !/[\u0000-\u001f\u007f]/.test(value)
const phoneShape = /^\+?[\p{Nd}\s().\-/]*$/u
const digits = (value: string) => value.match(/\p{Nd}/gu)?.length ?? 0

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
