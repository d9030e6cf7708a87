import { reportError } from '~/server/operations/log.server'
import { certificatePdf } from './certificate-pdf.server'
import { openBadgeContexts } from './credential-document'
import { canonicalHash } from './credential-proof.server'

/**
 * Makes one certificate and throws it away: reading the libraries and fonts of PDFs and credentials takes half a second,
 * which the first learner who asks for one after a start would wait. It begins at once, so that it is done before anybody
 * has signed in. @returns waits for its end.
 */
export function warmUpCertificates(): () => Promise<void> {
  const warm = makeSample().catch((error) => reportError(error))
  return () => warm
}

async function makeSample(): Promise<void> {
  const [learner, course] = ['Ada Lovelace', 'Python from Zero']
  const facts = {
    issuedOn: 'January 1, 2026',
    sentence: 'completed 8 lessons and passed the final exam of',
    lessons: '8 lessons, 30 min',
    exam: '8 of 8 correct (100%)',
    number: '0',
  }
  const address = 'https://learnify.example'
  await certificatePdf({ ...facts, name: learner, course, address, held: true, state: 'valid' }, new Date(0))
  await canonicalHash({
    '@context': openBadgeContexts,
    id: address,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
  })
}
