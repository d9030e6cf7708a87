import { reportError } from '~/server/log.server'
import { certificatePdf } from './certificate-pdf.server'
import { openBadgeContexts } from './credential-document'
import { canonicalHash } from './credential-proof.server'

/** The first visitors' pages come before it. */
const delayMs = 1000

/**
 * Makes one certificate that nobody gets: reading the libraries and fonts of PDFs and credentials takes a second, which
 * the first learner who asks for one after a start would wait. @returns stops it.
 */
export function warmUpCertificates(): () => Promise<void> {
  let warm = Promise.resolve()
  const timer = setTimeout(() => {
    warm = makeSample().catch((error) => reportError(error))
  }, delayMs)
  return () => {
    clearTimeout(timer)
    return warm
  }
}

async function makeSample(): Promise<void> {
  const [learner, course] = ['Ada Lovelace', 'Python from Zero']
  const facts = { issuedOn: 'January 1, 2026', lessons: '8 lessons, 30 min', exam: '8 of 8 right (100%)', number: '0' }
  const address = 'https://learnify.example'
  await certificatePdf({ ...facts, name: learner, course, address, held: true, state: 'valid' }, new Date(0))
  await canonicalHash({
    '@context': openBadgeContexts,
    id: address,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
  })
}
