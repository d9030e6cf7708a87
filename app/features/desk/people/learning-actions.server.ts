/** What staff do about a learner's courses, exam attempts and certificates. */
import {
  findCertificateHolder,
  reissueCertificate,
  revokeCertificate,
} from '~/features/certificates/certificate-issuing.server'
import { enrollAndFollowUp } from '~/features/certificates/finished-work.server'
import {
  leaveCourse,
  listCourseAvailability,
  listEnrolledCourseIds,
} from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { excuseAttempts } from '~/features/exams/attempt/attempt-queries.server'
import { changeAccount } from '~/features/staff/account-actions.server'
import { checkReason } from '~/features/staff/reason'
import type { ActionContext } from '~/features/staff/staff-action.server'
import { describeUnknownCourses } from '~/features/staff/staff-actions.server'
import type { Transaction } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { failure, success } from '~/server/result'
import { byCount } from '~/ui/format-count'

export function enrollLearner(context: ActionContext, account: string, courseId: string) {
  const action = { name: 'learner enroll', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const enrolled = await enrollAndFollowUp(tx, uid, [courseId], context.now, { granted: true })
    if (enrolled.includes(courseId)) {
      return success(`Enrolled in ${courseId}.`)
    }

    const courseIds = await listEnrolledCourseIds(tx, uid)
    if (courseIds.length >= learnerLimits.enrollments) {
      return failure(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
    }

    return failure(describeUnknownCourses([courseId], 'Nothing was changed: no published course'))
  })
}

export function removeFromCourse(context: ActionContext, account: string, courseId: string) {
  const action = { name: 'learner remove', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const courseIds = await listEnrolledCourseIds(tx, uid)
    if (!courseIds.includes(courseId)) {
      const isKnown = await isCourse(tx, courseId)
      // A mistyped course and a course that the learner has left are different mistakes.
      return failure(
        isKnown
          ? `The learner isn’t enrolled in '${courseId}'.`
          : describeUnknownCourses([courseId]),
      )
    }

    const left = await leaveCourse(tx, uid, courseId)
    if (left === 'kept') {
      return failure(
        'A learner can’t be removed from a course that is completed or whose exam is in progress.',
      )
    }

    return success('The learner is no longer enrolled.')
  })
}

/** Lets the learner take the exam again right away. Earlier results stay. */
export function giveAttemptsBack(context: ActionContext, account: string, courseId: string) {
  const action = { name: 'learner reset-attempts', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const excusedCount = await excuseAttempts(tx, uid, courseId, context.now)
    if (excusedCount > 0) {
      return success(
        byCount(
          excusedCount,
          '1 attempt no longer counts toward the limit.',
          `${excusedCount} attempts no longer count toward the limit.`,
        ),
      )
    }

    const isKnown = await isCourse(tx, courseId)
    return failure(
      isKnown
        ? `The learner has no attempt to give back in '${courseId}'.`
        : describeUnknownCourses([courseId]),
    )
  })
}

async function isCourse(tx: Transaction, courseId: string): Promise<boolean> {
  const courses = await listCourseAvailability(tx, [courseId])
  return courses.has(courseId)
}

type CertificateInput = { account: string; certificateId: string }

/** Revokes a certificate. Its page shows the reason, and verifiers reject its credential. */
export function revokeLearnerCertificate(
  context: ActionContext,
  { account, certificateId, reason: submittedReason }: CertificateInput & { reason: string },
) {
  const action = {
    name: 'certificate revoke',
    account,
    arguments: { certificate: certificateId, reason: submittedReason.trim() },
  }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const reason = checkReason(submittedReason)
    if (!reason.ok) {
      return reason
    }

    const holderUid = await findCertificateHolder(tx, certificateId)
    if (holderUid !== uid) {
      return failure(notHeld)
    }

    await revokeCertificate(tx, certificateId, reason.value, context.now)
    return success('The certificate has been revoked.')
  })
}

/** Replaces a certificate with one in the learner's current name. */
export function reissueLearnerCertificate(
  context: ActionContext,
  { account, certificateId }: CertificateInput,
) {
  const action = {
    name: 'certificate reissue',
    account,
    arguments: { certificate: certificateId },
  }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const holderUid = await findCertificateHolder(tx, certificateId)
    if (holderUid !== uid) {
      return failure(notHeld)
    }

    const newId = await reissueCertificate(tx, certificateId, context.now)
    if (newId === null) {
      return failure('This certificate has been replaced already.')
    }

    return success(`The new certificate: ${env.PUBLIC_URL}/Certificate/${newId}`)
  })
}

const notHeld = 'The learner doesn’t hold this certificate.'
