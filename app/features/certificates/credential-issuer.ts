/**
 * The issuer's name as a verifier resolves it: `did:web` of the address that learners use, whose document is at
 * /.well-known/did.json.
 *
 * @param origin PUBLIC_URL.
 */
export function issuerDid(origin: string): string {
  return `did:web:${encodeURIComponent(new URL(origin).host)}`
}

/** The DID document: every key that ever signed may be used to check. */
export function issuerDocument(origin: string, publicKeys: readonly string[]) {
  const did = issuerDid(origin)
  const methods = publicKeys.map((publicKeyMultibase) => ({
    id: `${did}#${publicKeyMultibase}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase,
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  }
}
