import { secretKey } from './setting-kinds.server'
import { type SettingName, settingsSchema } from './settings-schema.server'

export function isSecret(name: SettingName): boolean {
  return settingsSchema.shape[name].meta()?.hides !== undefined
}

const mask = '*****'

/** For people: an address without its passwords, any other secret not at all. */
export function masked(name: SettingName, value: string): string {
  if (!isSecret(name)) return secretKey.test(value) ? mask : value
  if (settingsSchema.shape[name].meta()?.hides === 'all' || !/^\w+:\/\//.test(value) || !URL.canParse(value))
    return mask
  const url = new URL(value)
  if (url.password) url.password = mask
  for (const key of url.searchParams.keys()) if (/pass|secret|key|token/i.test(key)) url.searchParams.set(key, mask)
  return url.href
}

export function holdsPassword(name: SettingName, value: string): boolean {
  return value !== '' && masked(name, value).includes(mask)
}
