import type { Database } from '~/server/database/client.server'
import { findCertificateFile } from './certificate-files.server'
import { findCertificate, listCertificates, listRegisterEntries } from './certificate-queries.server'
import { findCredential } from './credential-queries.server'

/**
 * A learner's certificates for their archive, one after the other: each as PDF and as the signed credential, named by course and number, and
 * what the register says of them.
 */
export async function* listCertificateFiles(
  db: Database,
  uid: string,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  const register = await listRegisterEntries(db, uid)
  yield { name: 'certificates/register.json', bytes: Buffer.from(`${JSON.stringify(register, null, 2)}\n`) }
  for (const { id } of await listCertificates(db, uid)) {
    const certificate = await findCertificate(db, id)
    if (!certificate) continue
    const base = `certificates/${certificate.course.id}-${id}`
    const pdf = await findCertificateFile(db, id, 'pdf')
    const credential = await findCredential(db, id)
    if (pdf) yield { name: `${base}.pdf`, bytes: pdf }
    if (credential) yield { name: `${base}.json`, bytes: Buffer.from(JSON.stringify(credential, null, 2)) }
  }
}
