import * as z from 'zod/mini'
import { tickField } from '../form/account-fields'
import { fieldMessages } from '../form/form-messages'
import { profileFields } from './profile-fields'

/** The profile's settings, without the photo, which is checked by its bytes. */
export const settingsForm = z.object({
  ...profileFields,
  /** Empty: as the browser. Left out, what is stored stays. */
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

export type SettingsFields = z.infer<typeof settingsForm>
