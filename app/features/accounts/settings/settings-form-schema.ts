import * as z from 'zod/mini'
import { tickField } from '../form/account-fields'
import { profileFields } from './profile-fields'

/** The profile's settings, without the photo, which is checked by its bytes. */
export const settingsForm = z.object({
  ...profileFields,
  /** Left out while none is chosen; what is stored then stays. */
  timezone: z.optional(profileFields.timezone),
  removePhoto: tickField,
})

export type SettingsFields = z.infer<typeof settingsForm>
