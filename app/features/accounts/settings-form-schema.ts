import * as z from 'zod/mini'
import { profileFields } from '~/server/auth/profile-fields'
import { tickField } from './account-fields'

/** The profile's settings, without the photo, which is checked by its bytes. */
export const settingsForm = z.object({
  ...profileFields,
  /** Left out while none is chosen; what is stored then stays. */
  timezone: z.optional(profileFields.timezone),
  removePhoto: tickField,
})

export type SettingsFields = z.infer<typeof settingsForm>
