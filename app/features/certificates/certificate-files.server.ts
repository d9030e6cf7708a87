import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { certificatePdf } from './certificate-pdf.server'
import { certificatePicture } from './certificate-picture.server'
import { findCertificate } from './certificate-queries.server'
import { type CertificateText, certificateText } from './certificate-text'

type Kind = 'pdf' | 'picture'
const mostKept = 100
const kept = new Map<string, Promise<Buffer>>()

/**
 * A certificate's PDF or share picture, made once for what it says now and kept in memory; the one not asked for longest
 * leaves first.
 *
 * @returns null for an id that was never given out.
 */
export async function findCertificateFile(db: Database, id: string, kind: Kind): Promise<Buffer | null> {
  const certificate = await findCertificate(db, id)
  if (!certificate) return null
  const text = certificateText(certificate, env.PUBLIC_URL)
  const key = JSON.stringify([kind, text])
  const file = kept.get(key) ?? make(kind, text, certificate.issuedAt)
  kept.delete(key)
  kept.set(key, file)
  file.catch(() => kept.delete(key))
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break
    kept.delete(oldest)
  }
  return file
}

function make(kind: Kind, text: CertificateText, issuedAt: Date): Promise<Buffer> {
  return kind === 'pdf' ? certificatePdf(text, issuedAt) : certificatePicture(text)
}
