/** Actions of staff: they revoke a certificate, or reissue it in the learner's current name. */
import { isRealName } from '~/features/accounts/full-name'
import { changeAccount } from '~/features/staff/account-actions.server'
import { checkReason } from '~/features/staff/reason'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import { env } from '~/server/env.server'
import { failure, success } from '~/server/result'
import {
  findCertificateHolder,
  reissueCertificate,
  revokeCertificate,
} from './certificate-reissuing.server'

type CertificateInput = {
  /** The holder's email address or uid. */
  account: string
  certificateId: string
}

const notHeldProblem = 'The learner doesn’t hold this certificate.'
const nameMissingProblem =
  'The learner hasn’t given their name yet. They’re asked for it when they next open a page of theirs.'
const alreadyReplacedProblem = 'This certificate has been replaced already.'

/** Revokes a certificate. Its page shows the reason, and verifiers reject its credential. */
export function revokeLearnerCertificate(
  context: StaffActionContext,
  { account, certificateId, reason: submittedReason }: CertificateInput & { reason: string },
) {
  const auditedAction = {
    name: 'certificate revoke',
    account,
    arguments: { certificate: certificateId, reason: submittedReason.trim() },
  }

  return changeAccount(context, auditedAction, async (tx, { id: uid }) => {
    const reason = checkReason(submittedReason)
    if (!reason.ok) {
      return reason
    }

    const holderUid = await findCertificateHolder(tx, certificateId)
    if (holderUid !== uid) {
      return failure(notHeldProblem)
    }

    const isRevoked = await revokeCertificate(tx, certificateId, reason.value, context.now)
    if (!isRevoked) {
      return failure(alreadyReplacedProblem)
    }

    return success('The certificate has been revoked.')
  })
}

/** Replaces a certificate with one in the learner's current name. */
export function reissueLearnerCertificate(
  context: StaffActionContext,
  { account, certificateId }: CertificateInput,
) {
  const auditedAction = {
    name: 'certificate reissue',
    account,
    arguments: { certificate: certificateId },
  }

  return changeAccount(context, auditedAction, async (tx, { id: uid, name }) => {
    const holderUid = await findCertificateHolder(tx, certificateId)
    if (holderUid !== uid) {
      return failure(notHeldProblem)
    }

    if (!isRealName(name)) {
      return failure(nameMissingProblem)
    }

    const newCertificateId = await reissueCertificate(tx, certificateId, context.now)
    if (newCertificateId === null) {
      return failure(alreadyReplacedProblem)
    }

    return success(`The new certificate: ${env.PUBLIC_URL}/Certificate/${newCertificateId}`)
  })
}
