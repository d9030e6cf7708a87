/**
 * The documents that make certificates verifiable by software, before they are signed:
 *
 * - the credential: a certificate in the format of Open Badges 3.0 (1EdTech). In this format, the
 *   course is the achievement, and the school is the issuer;
 * - the Bitstring Status List 1.0 (W3C), which says which certificates are invalid by now;
 * - the DID document (W3C) with the issuer's public keys.
 */
import { byCount, formatNumber } from '~/ui/format-count'
import { formatMinutes } from '~/ui/format-duration'
import { siteName } from '~/ui/site-name'
import type { CertifiedProgress } from '../certificate-rules'

const credentialsContext = 'https://www.w3.org/ns/credentials/v2'
const openBadgeContexts = [
  credentialsContext,
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

export type CredentialData = {
  /** The public URL of the school. */
  origin: string
  certificateId: string
  /** Only credentials with wording 1 contain the description. */
  course: { id: string; title: string; description: string }
  progress: CertifiedProgress
  issuedAt: Date
  /** The version of the sentences in the credential, see `getCredentialSentences`. */
  wordingVersion: number
  statusListNumber: number
  /** The certificate's index in the status list. */
  statusIndex: number
  /** Null if the learner does not show the full name. */
  learnerName: string | null
  /**
   * The SHA-256 hash of the email and `salt`, in hexadecimal. Someone who knows the email can check
   * that the credential belongs to it.
   */
  emailHash: string
  salt: string
}

export type JsonObject = { [key: string]: unknown }

/**
 * Returns a certificate as an unsigned credential, with the terms of Open Badges 3.0, appendix B.
 */
export function createOpenBadgeCredential(credentialData: CredentialData): JsonObject {
  const { origin, certificateId, course, issuedAt, statusListNumber, statusIndex, progress } =
    credentialData
  const courseUrl = `${origin}/OneCourse/${course.id}`
  const examId = `${courseUrl}#exam`
  const certificateUrl = `${origin}/Certificate/${certificateId}`
  const statusListUrl = getStatusListUrl(origin, statusListNumber)
  const sentences = getCredentialSentences(credentialData)
  const examPercent = Math.floor((progress.examScore * 100) / progress.examMaxScore)

  return {
    '@context': openBadgeContexts,
    id: `${certificateUrl}/credential.json`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: course.title,
    issuer: { id: getIssuerDid(origin), type: ['Profile'], name: siteName(), url: origin },
    validFrom: issuedAt.toISOString(),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: getLearnerIdentifiers(credentialData),
      achievement: {
        id: courseUrl,
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
      result: [{ type: ['Result'], resultDescription: examId, value: String(examPercent) }],
    },
    evidence: [
      { type: ['Evidence'], name: 'Completed work', narrative: sentences.progress },
      {
        type: ['Evidence'],
        name: 'Confirmed email address',
        narrative: 'The learner’s email address was confirmed when this was issued.',
      },
    ],
    credentialStatus: {
      id: `${statusListUrl}#${statusIndex}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(statusIndex),
      statusListCredential: statusListUrl,
    },
  }
}

function getStatusListUrl(origin: string, statusListNumber: number): string {
  return `${origin}/CertificateStatus/${statusListNumber}`
}

function getLearnerIdentifiers({ learnerName, emailHash, salt }: CredentialData): JsonObject[] {
  const emailIdentity = {
    type: 'IdentityObject',
    hashed: true,
    identityHash: `sha256$${emailHash}`,
    identityType: 'emailAddress',
    salt,
  }
  if (!learnerName) {
    return [emailIdentity]
  }

  const nameIdentity = {
    type: 'IdentityObject',
    hashed: false,
    identityHash: learnerName,
    identityType: 'name',
  }

  return [emailIdentity, nameIdentity]
}

/** The version of the sentences that new credentials get. */
export const newestWordingVersion = 3

type CredentialSentences = {
  /** What the course consists of. */
  description: string
  /** What a learner has to do for the certificate. */
  criteria: string
  /** What this learner has done. */
  progress: string
}

/**
 * Returns the sentences of a credential in its wording version. A changed sentence needs a new
 * version, and issued credentials keep theirs, because a signed document must not change.
 */
function getCredentialSentences({
  wordingVersion,
  course,
  progress,
}: CredentialData): CredentialSentences {
  const { lessons, materialSeconds, examScore, examMaxScore } = progress
  const minutes = Math.max(1, Math.floor(materialSeconds / 60))
  const examSentence = `Final exam passed with ${examScore} of ${examMaxScore} correct answers.`

  if (wordingVersion === 1) {
    return {
      description: course.description,
      criteria: 'Complete every lesson of the course and pass the final exam.',
      progress: `${lessons} lessons completed (${minutes} minutes of material). ${examSentence}`,
    }
  }

  const duration = formatMinutes(minutes)
  const lessonsSentence = byCount(
    lessons,
    `1 lesson completed, with ${duration} of material.`,
    `${formatNumber(lessons)} lessons completed, with ${duration} of material.`,
  )
  const progressSentences = `${lessonsSentence} ${examSentence}`
  const description =
    'The lessons of this course that were available at the time, and its final exam.'

  if (wordingVersion === 2) {
    return {
      description,
      criteria: 'Complete every lesson available at the time and pass the final exam.',
      progress: progressSentences,
    }
  }

  // Version 3
  return {
    description,
    criteria:
      'Complete every lesson available at the time or mark it as done, and pass the final exam.',
    progress: lessons === 0 ? examSentence : progressSentences,
  }
}

/** Returns a Bitstring Status List 1.0 as an unsigned credential. */
export function createStatusListCredential(
  origin: string,
  statusListNumber: number,
  encodedList: string,
  validFrom: Date,
): JsonObject {
  const statusListUrl = getStatusListUrl(origin, statusListNumber)

  return {
    '@context': [credentialsContext],
    id: statusListUrl,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: getIssuerDid(origin),
    validFrom: validFrom.toISOString(),
    credentialSubject: {
      id: `${statusListUrl}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList,
    },
  }
}

/**
 * Returns the issuer's decentralized identifier. It is a `did:web` of the school's host, which
 * verifiers resolve to the DID document at /.well-known/did.json.
 */
export function getIssuerDid(origin: string): string {
  return `did:web:${encodeURIComponent(new URL(origin).host)}`
}

/** Returns the DID document, in which every given key may verify certificates. */
export function createIssuerDocument(origin: string, publicKeys: readonly string[]) {
  const did = getIssuerDid(origin)
  const verificationMethods = publicKeys.map((publicKeyMultibase) => ({
    id: `${did}#${publicKeyMultibase}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase,
  }))

  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: verificationMethods,
    assertionMethod: verificationMethods.map(({ id }) => id),
  }
}
