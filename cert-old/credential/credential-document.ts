import { siteName } from '~/ui/site-name'
import { credentialSentences, type WordedFacts } from './credential-wording'

const credentialsContext = 'https://www.w3.org/ns/credentials/v2'
const openBadgeContexts = [
  credentialsContext,
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

export type CredentialFacts = WordedFacts & {
  /** PUBLIC_URL. */
  origin: string
  id: string
  course: { id: string; title: string }
  issuedAt: Date
  statusList: number
  statusIndex: number
  /** Null if the learner does not show the full name. */
  name: string | null
  /**
   * SHA-256 of the e-mail address and `salt`, in hexadecimal: with the address at hand, its owner
   * can be checked.
   */
  emailHash: string
  salt: string
}

export type JsonObject = { [key: string]: unknown }

/**
 * The certificate as an Open Badges 3.0 credential (1EdTech, achievement and identity as sections
 * B.1 to B.4 say), unsigned.
 */
export function openBadgeCredential(facts: CredentialFacts): JsonObject {
  const { origin, id, course, issuedAt, statusList, statusIndex } = facts
  const achievement = `${origin}/OneCourse/${course.id}`
  const examId = `${achievement}#exam`
  const page = `${origin}/Certificate/${id}`
  const list = statusListAddress(origin, statusList)
  const sentences = credentialSentences(facts)

  return {
    '@context': openBadgeContexts,
    id: `${page}/credential.json`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: course.title,
    issuer: { id: issuerDid(origin), type: ['Profile'], name: siteName(), url: origin },
    validFrom: issuedAt.toISOString(),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: identifiers(facts),
      achievement: {
        id: achievement,
        type: ['Achievement'],
        achievementType: 'Course',
        name: course.title,
        description: sentences.description,
        criteria: { narrative: sentences.criteria },
        resultDescription: [
          {
            id: examId,
            type: ['ResultDescription'],
            name: 'Final exam',
            resultType: 'Percent',
            valueMin: '0',
            valueMax: '100',
          },
        ],
      },
      result: [
        { type: ['Result'], resultDescription: examId, value: String(percentOf(facts.work)) },
      ],
    },
    evidence: evidence(sentences.work),
    credentialStatus: {
      id: `${list}#${statusIndex}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(statusIndex),
      statusListCredential: list,
    },
  }
}

function statusListAddress(origin: string, list: number): string {
  return `${origin}/CertificateStatus/${list}`
}

function percentOf({ examScore, examMaxScore }: CredentialFacts['work']): number {
  return Math.floor((examScore * 100) / examMaxScore)
}

/** The completed work, and that the address with this hash was confirmed before. */
function evidence(work: string): JsonObject[] {
  return [
    { type: ['Evidence'], name: 'Completed work', narrative: work },
    {
      type: ['Evidence'],
      name: 'Confirmed email address',
      narrative: 'The learner’s email address was confirmed when this was issued.',
    },
  ]
}

function identifiers({ name, emailHash, salt }: CredentialFacts): JsonObject[] {
  const email = {
    type: 'IdentityObject',
    hashed: true,
    identityHash: `sha256$${emailHash}`,
    identityType: 'emailAddress',
    salt,
  }

  return name
    ? [email, { type: 'IdentityObject', hashed: false, identityHash: name, identityType: 'name' }]
    : [email]
}

/** A Bitstring Status List 1.0 as a credential, unsigned. */
export function statusListCredential(
  origin: string,
  list: number,
  encodedList: string,
  validFrom: Date,
): JsonObject {
  const address = statusListAddress(origin, list)
  return {
    '@context': [credentialsContext],
    id: address,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuerDid(origin),
    validFrom: validFrom.toISOString(),
    credentialSubject: {
      id: `${address}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList,
    },
  }
}

/**
 * The issuer's name as a verifier resolves it: `did:web` of the address that learners use, whose
 * document is at /.well-known/did.json.
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
