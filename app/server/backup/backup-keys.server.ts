import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { commandText } from '../operator-command.server'
import { type Environment, StartError } from '../settings/settings.server'

type Settings = Pick<Environment, 'BACKUP_PASSPHRASE' | 'BACKUP_RECIPIENT'>

/**
 * What encrypts an archive in the age format, so that the program `age` opens it, too.
 *
 * @throws {StartError} without a key, with two, or with one that is none.
 */
export function openEncrypter({ BACKUP_PASSPHRASE, BACKUP_RECIPIENT }: Settings): Encrypter {
  if (Boolean(BACKUP_PASSPHRASE) === Boolean(BACKUP_RECIPIENT)) {
    const newKey = commandText('backup', '--new-key')
    throw new StartError(
      BACKUP_PASSPHRASE
        ? 'BACKUP_RECIPIENT and BACKUP_PASSPHRASE are both set. Set only one of them.'
        : `Set BACKUP_RECIPIENT (a public key; make one with ${newKey}) or BACKUP_PASSPHRASE, so that the archive can be encrypted.`,
    )
  }
  const encrypter = new Encrypter()
  if (BACKUP_PASSPHRASE) encrypter.setPassphrase(BACKUP_PASSPHRASE)
  for (const recipient of BACKUP_RECIPIENT?.split(/[\s,]+/).filter(Boolean) ?? []) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      // It may be the secret key.
      throw new StartError('BACKUP_RECIPIENT has something that isn’t a public key of age (age1...).')
    }
  }
  return encrypter
}

/**
 * @param keys the text of a file with secret keys, as `newKeyFile` and `age-keygen` write it; null opens with the passphrase.
 * @throws {StartError} without a key, or with one that is none.
 */
export function openDecrypter(
  keys: string | null,
  { BACKUP_PASSPHRASE }: Pick<Settings, 'BACKUP_PASSPHRASE'>,
): Decrypter {
  const decrypter = new Decrypter()
  if (keys === null && BACKUP_PASSPHRASE) decrypter.addPassphrase(BACKUP_PASSPHRASE)
  if (keys === null && !BACKUP_PASSPHRASE) {
    throw new StartError('Add --key FILE (the secret key that belongs to BACKUP_RECIPIENT), or set BACKUP_PASSPHRASE.')
  }
  if (keys === null) return decrypter
  const identities = keys.match(/AGE-SECRET-KEY-[\w-]+/g) ?? []
  try {
    if (identities.length === 0) throw new Error('There is none.')
    for (const identity of identities) decrypter.addIdentity(identity)
  } catch {
    throw new StartError('The file of --key has no secret key of age (AGE-SECRET-KEY-1...).')
  }
  return decrypter
}

/** A new pair as `age-keygen` writes it. */
export async function newKeyFile(): Promise<string> {
  const identity = await generateX25519Identity()
  return `# public key: ${await identityToRecipient(identity)}\n${identity}\n`
}
