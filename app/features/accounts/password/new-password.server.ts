import { env } from '~/server/env.server'
import type { AccountErrorCode } from '../account-errors'
import { passwordLength } from '../account-rules'
import { findWeakness, type Person } from './password-advice'

const commonPasswordCount = 10_000

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Returns the 10,000 most common passwords that are long enough, the most common first. */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const longEnoughPasswords = dictionary['passwords-common'].filter(
      ({ length }) => length >= passwordLength.min,
    )
    return new Set(longEnoughPasswords.slice(0, commonPasswordCount))
  })

  return commonPasswords
}

const passwordRules = {
  minLength: env.PASSWORD_MIN_LENGTH,
  shouldRefuseCommon: env.PASSWORD_REFUSE_COMMON,
}

/**
 * Checks a new password. Existing passwords stay valid when the settings become stricter.
 *
 * @returns null, or why the password is refused
 */
export async function checkNewPassword(
  password: string,
  person: Person,
  { minLength, shouldRefuseCommon } = passwordRules,
): Promise<AccountErrorCode | null> {
  if (password.length < minLength) {
    return 'weak-password'
  }

  if (!shouldRefuseCommon) {
    return null
  }

  const weakness = findWeakness(password, person, await loadCommonPasswords())

  return weakness ? 'common-password' : null
}
