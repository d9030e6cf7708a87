import { db, openDatabaseForCommand } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import { reissueCertificate, revokeCertificate } from './certificate-operations.server'
import { rotateSigningKey } from './credential-keys.server'

const usage = `npm run certificates -- revoke ID --reason TEXT   revoke a certificate; its page shows the reason
npm run certificates -- reissue ID                issue a new one with the learner's current name; the old one is revoked
npm run certificates -- rotate-key                sign new credentials with a new key; old ones still verify
ID is the number on the certificate, or the address of its page.
`

/** `npm run certificates`: also while the product runs, which follows at once. */
async function runCommand([action, address = '', flag, ...words]: string[]): Promise<boolean> {
  const id = address.replace(/\/+$/, '').replace(/^.*\//, '')
  const reason = words.join(' ').trim()
  if (action === 'rotate-key' && !address)
    return say(true, `New credentials are now signed with ${await rotateSigningKey()}.`)
  if (action === 'revoke' && id && flag === '--reason' && reason) {
    const revoked = await revokeCertificate(db, id, reason, await databaseTime(db))
    return say(revoked, revoked ? 'The certificate has been revoked.' : `No certificate has the number '${id}'.`)
  }
  if (action === 'reissue' && id && !flag) {
    const newId = await reissueCertificate(db, id, await databaseTime(db))
    const refused = `No learner holds a certificate with the number '${id}'.`
    return say(newId !== null, newId ? `The new certificate: ${env.PUBLIC_URL}/Certificate/${newId}` : refused)
  }
  return say(false, usage.trimEnd())
}

function say(done: boolean, sentence: string): boolean {
  const stream = done ? process.stdout : process.stderr
  stream.write(`${sentence}\n`)
  return done
}

const close = await openDatabaseForCommand({ files: true })
try {
  process.exitCode = (await runCommand(process.argv.slice(2))) ? 0 : 1
} finally {
  await close()
}
