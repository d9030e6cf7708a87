import * as z from 'zod/mini'
import { accountLimits } from '~/server/auth/account-codes'
import { nameField, tickField } from './account-fields'
import { timeZones } from './time-zones'

/** A missing field is an empty one; an empty one is stored as null. */
const optional = z.pipe(z.catch(z.string(), ''), z.string().check(z.trim()))
const emptyIsNull = z.transform((value: string) => value || null)
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are refused.
const oneLine = (value: string) => !/[\u0000-\u001f\u007f]/.test(value)
const phone = /^\+?[\p{Nd}\s().\-/]*$/u
const digits = (value: string) => value.match(/\p{Nd}/gu)?.length ?? 0

/** The profile's settings, without the photo, which is checked by its bytes. */
export const settingsForm = z.object({
  firstName: nameField('First name'),
  lastName: nameField('Last name'),
  phone: z.pipe(
    z.pipe(
      optional,
      z.string().check(
        z.maxLength(accountLimits.phone, `Phone can have at most ${accountLimits.phone} characters`),
        z.refine(
          (value) => value === '' || (phone.test(value) && digits(value) >= 5),
          'Please enter a valid phone number',
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
          z.maxLength(accountLimits.location, `Location can have at most ${accountLimits.location} characters`),
          z.refine(oneLine, 'Please remove the characters that cannot be stored'),
        ),
    ),
    emptyIsNull,
  ),
  /** Left out while none is chosen; what is stored then stays. */
  timezone: z.optional(
    z.enum(
      timeZones.map(({ name }) => name),
      { error: 'Please choose one of the time zones' },
    ),
  ),
  removePhoto: tickField,
})

export type SettingsFields = z.infer<typeof settingsForm>
