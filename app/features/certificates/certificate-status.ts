/** Places in one Bitstring Status List; the least that the standard allows, so that a place says little about a person. */
export const statusListLength = 131_072

/**
 * `revoked` by an operator, `withdrawn` because the learner left, `valid` otherwise.
 *
 * @param held false once nobody holds the certificate any more.
 */
export type CertificateState = 'valid' | 'revoked' | 'withdrawn'

export function certificateState({ revokedAt, held }: { revokedAt: unknown; held: boolean }): CertificateState {
  if (revokedAt) return 'revoked'
  return held ? 'valid' : 'withdrawn'
}
