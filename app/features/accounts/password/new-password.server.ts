import { env } from '~/server/env.server'
import type { AccountServiceCode } from '../account-errors'
import { passwordLength } from '../account-rules'
import { type Person, weaknessOf } from './password-advice'

const listed = 10_000

let common: Promise<ReadonlySet<string>> | undefined

/** The 10,000 most common passwords that are long enough, the most common first. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const longEnough = dictionary['passwords-common'].filter(
      ({ length }) => length >= passwordLength.min,
    )
    return new Set(longEnough.slice(0, listed))
  })

  return common
}

const settings = { minLength: env.PASSWORD_MIN_LENGTH, refusesCommon: env.PASSWORD_REFUSE_COMMON }

/** Why a new password is refused, or null. Those of before go on. */
export async function newPasswordRefusal(
  password: string,
  person: Person,
  { minLength, refusesCommon } = settings,
): Promise<AccountServiceCode | null> {
  if (password.length < minLength) {
    return 'weak-password'
  }

  if (!refusesCommon) {
    return null
  }

  return weaknessOf(password, person, await commonPasswords()) && 'common-password'
}
