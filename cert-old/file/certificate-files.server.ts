import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { findSiteLogo } from '~/server/site/brand-files.server'
import { currentSite, siteName } from '~/server/site/site.server'
import {
  findCertificate,
  listCertificates,
  listRegisterEntries,
} from '../certificate-queries.server'
import { type CertificateText, certificateText } from '../certificate-text'
import { findCredential } from '../credential/credential-queries.server'
import { certificatePdf } from './certificate-pdf.server'
import { certificatePicture } from './certificate-picture.server'

type Kind = 'pdf' | 'picture'
const files = new LRUCache<string, Promise<Buffer>>({ max: 100 })

/**
 * A certificate's PDF or share picture. The cache in memory depends on its content and the school's
 * look.
 *
 * @returns null for an id that was never given out.
 */
export async function findCertificateFile(
  db: Database,
  id: string,
  kind: Kind,
): Promise<Buffer | null> {
  const certificate = await findCertificate(db, id)
  if (!certificate) {
    return null
  }

  const text = certificateText(certificate, env.PUBLIC_URL)
  const { accent, logo, logoDark } = currentSite()
  const key = JSON.stringify([kind, text, siteName(), accent, logo, logoDark])
  const file = files.get(key) ?? make(db, kind, text)
  files.set(key, file)
  file.catch(() => files.delete(key))

  return file
}

async function make(db: Database, kind: Kind, text: CertificateText): Promise<Buffer> {
  if (kind === 'pdf') {
    return certificatePdf(text, await findSiteLogo(db))
  }

  return certificatePicture(text, await findSiteLogo(db, 'dark'))
}

/**
 * A learner's certificates for their archive, one after the other: each as PDF and as the signed
 * credential, named by course and number, and the register's entries.
 */
export async function* listCertificateFiles(
  db: Database,
  uid: string,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  const register = await listRegisterEntries(db, uid)
  yield {
    name: 'certificates/register.json',
    bytes: Buffer.from(`${JSON.stringify(register, null, 2)}\n`),
  }
  for (const { id } of await listCertificates(db, uid)) {
    const certificate = await findCertificate(db, id)
    if (!certificate) {
      continue
    }

    const base = `certificates/${certificate.course.id}-${id}`
    const pdf = await findCertificateFile(db, id, 'pdf')
    const credential = await findCredential(db, id)
    if (pdf) {
      yield { name: `${base}.pdf`, bytes: pdf }
    }

    if (credential) {
      yield { name: `${base}.json`, bytes: Buffer.from(JSON.stringify(credential, null, 2)) }
    }
  }
}
