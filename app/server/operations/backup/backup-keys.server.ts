import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { formatCommand } from '../operator-command.server'
import { type Environment, StartError } from '../settings/settings.server'

type BackupSettings = Partial<Pick<Environment, 'BACKUP_PASSPHRASE' | 'BACKUP_RECIPIENT'>>

/**
 * Creates the encrypter of archives. The program `age` can open the archives, too.
 *
 * @throws {StartError} unless the settings have either a public key or a passphrase
 */
export function createEncrypter({
  BACKUP_PASSPHRASE,
  BACKUP_RECIPIENT,
}: BackupSettings): Encrypter {
  if (BACKUP_PASSPHRASE && BACKUP_RECIPIENT) {
    throw new StartError(
      'BACKUP_RECIPIENT and BACKUP_PASSPHRASE are both set. Set only one of them.',
    )
  }

  if (!BACKUP_PASSPHRASE && !BACKUP_RECIPIENT) {
    throw new StartError(
      `Set BACKUP_RECIPIENT (a public key; make one with ${formatCommand('backup', '--new-key')}) or BACKUP_PASSPHRASE, so that the archive can be encrypted.`,
    )
  }

  const encrypter = new Encrypter()
  if (BACKUP_PASSPHRASE) {
    encrypter.setPassphrase(BACKUP_PASSPHRASE)
  }

  try {
    for (const key of BACKUP_RECIPIENT?.split(/[\s,]+/).filter(Boolean) ?? []) {
      encrypter.addRecipient(key)
    }
  } catch {
    throw new StartError('BACKUP_RECIPIENT has something that isn’t a public key of age (age1...).')
  }

  return encrypter
}

/**
 * Creates the decrypter of archives.
 *
 * @param keyFileText the text of a file with secret keys, in the format of `createKeyFile` and
 * `age-keygen`, or null to decrypt with the passphrase
 * @throws {StartError} if there is neither a key nor a passphrase
 */
export function createDecrypter(
  keyFileText: string | null,
  { BACKUP_PASSPHRASE }: BackupSettings,
): Decrypter {
  const decrypter = new Decrypter()
  if (keyFileText === null) {
    if (!BACKUP_PASSPHRASE) {
      throw new StartError(
        'Add --key FILE (the secret key that belongs to BACKUP_RECIPIENT), or set BACKUP_PASSPHRASE.',
      )
    }

    decrypter.addPassphrase(BACKUP_PASSPHRASE)
    return decrypter
  }

  try {
    const identities = keyFileText.match(/AGE-SECRET-KEY-[\w-]+/g)
    if (!identities) {
      throw new Error('There is none.')
    }

    for (const identity of identities) {
      decrypter.addIdentity(identity)
    }
  } catch {
    throw new StartError('The file of --key has no secret key of age (AGE-SECRET-KEY-1...).')
  }

  return decrypter
}

/** Returns a new key pair in the format of `age-keygen`. */
export async function createKeyFile(): Promise<string> {
  const identity = await generateX25519Identity()
  return `# public key: ${await identityToRecipient(identity)}\n${identity}\n`
}
