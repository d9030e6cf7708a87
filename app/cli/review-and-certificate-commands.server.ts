import {
  findCertificateHolder,
  reissueCertificate,
  revokeCertificate,
} from '~/features/certificates/certificate-operations.server'
import { rotateSigningKey } from '~/features/certificates/credential/credential-keys.server'
import { withAccountChanges } from '~/features/desk/account-state.server'
import { unknownCourse } from '~/features/desk/learner-acts.server'
import {
  answerReview,
  dismissReports,
  moderateReview,
} from '~/features/desk/reviews/review-acts.server'
import { listReviews } from '~/features/reviews/review-queries.server'
import { type AuditRecord, audited, auditedFromTheStart } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import {
  type AdminCommand,
  type CommandCall,
  limitOption,
  listed,
} from './command-definition.server'

export const reviewCommands: AdminCommand[] = [
  {
    name: 'review list',
    takes: ['COURSE'],
    options: { limit: limitOption(100, 10_000) },
    says: 'list learners’ reviews of a course, newest first',
    effect: 'reads',
    run: ({ db, given: [course = ''], options }) =>
      listed({
        options,
        usual: 100,
        most: 10_000,
        async find(limit) {
          const reviews = await listReviews(db, course, limit)
          if (!reviews) {
            throw unknownCourse([course])
          }

          return reviews
        },
        shown: ({ id, rating, hidden, comment }) => ({
          ID: id,
          RATING: `${rating} of 5`,
          STATE: hidden ? 'hidden' : 'shown',
          COMMENT: comment,
        }),
        none: 'No learner has reviewed this course yet.',
      }),
  },
  {
    name: 'review hide',
    takes: ['COURSE', 'ID'],
    says: 'hide a review from everyone but its author',
    effect: 'changes',
    options: { reason: { value: 'TEXT', says: 'its author reads it' } },
    run: (call) =>
      change(call, (transaction, place) =>
        moderateReview(transaction, place, String(call.options.reason ?? '')),
      ),
  },
  {
    name: 'review show',
    takes: ['COURSE', 'ID'],
    says: 'show a hidden review again',
    effect: 'changes',
    run: (call) => change(call, (transaction, place) => moderateReview(transaction, place, null)),
  },
  {
    name: 'review dismiss',
    takes: ['COURSE', 'ID'],
    says: 'let a review stand that learners reported',
    effect: 'changes',
    run: (call) => change(call, dismissReports),
  },
  {
    name: 'review answer',
    takes: ['COURSE', 'ID'],
    options: {
      text: {
        value: 'TEXT',
        says: 'replaces the answer there is; without it, the answer is removed',
      },
    },
    says: 'write the instructor’s answer below a review',
    effect: 'changes',
    run: (call) =>
      change(call, (transaction, place) =>
        answerReview(transaction, place, String(call.options.text ?? '')),
      ),
  },
]

async function change(
  { db, actor, given: [courseId = '', name = ''] }: CommandCall,
  act: (
    transaction: Transaction,
    place: { courseId: string; name: string },
  ) => Promise<AuditRecord>,
) {
  const { outcome } = await audited(db, actor, (transaction) =>
    act(transaction, { courseId, name }),
  )
  return { text: `${outcome} Pages update within two seconds.` }
}

const longestReason = 500

/** The number on a certificate, or the address of its page. */
const idOf = (address = '') => address.replace(/\/+$/, '').replace(/^.*\//, '')

export const certificateCommands: AdminCommand[] = [
  {
    name: 'certificate revoke',
    takes: ['ID'],
    options: { reason: { value: 'TEXT', says: 'required; the certificate’s page shows it' } },
    says: 'revoke a certificate, giving a reason',
    effect: 'changes',
    async run({ db, actor, now, given: [address], options: { reason } }) {
      const id = idOf(address)
      const words = String(reason ?? '').trim()
      if (!words || words.length > longestReason) {
        throw new StartError(`Give a reason of at most ${longestReason} characters: --reason TEXT`)
      }

      const { outcome } = await audited(db, actor, async (transaction) => {
        const holder = await findCertificateHolder(transaction, id)
        const act = async () => {
          if (!(await revokeCertificate(transaction, id, words, now))) {
            throw new StartError(`No certificate has the number '${id}'.`)
          }

          return {
            arguments: { certificate: id, reason: words },
            outcome: 'The certificate has been revoked.',
          }
        }

        return holder
          ? withAccountChanges(transaction, holder, act)
          : { subject: id, ...(await act()) }
      })

      return { text: outcome }
    },
  },
  {
    name: 'certificate reissue',
    takes: ['ID'],
    says: 'replace a certificate with one in the learner’s current name',
    effect: 'changes',
    async run({ db, actor, now, given: [address] }) {
      const id = idOf(address)
      const { outcome } = await audited(db, actor, async (transaction) => {
        const holder = await findCertificateHolder(transaction, id)
        return withAccountChanges(transaction, holder ?? '', async () => {
          const newId = await reissueCertificate(transaction, id, now)
          if (!newId) {
            throw new StartError(`No learner holds a certificate with the number '${id}'.`)
          }

          const outcome = `The new certificate: ${env.PUBLIC_URL}/Certificate/${newId}`

          return { arguments: { certificate: id }, outcome }
        })
      })

      return { text: outcome }
    },
  },
  {
    name: 'certificate rotate-key',
    takes: [],
    says: 'sign new credentials with a new key; old ones can still be verified',
    effect: 'changes',
    files: true,
    async run({ db, actor }) {
      const begins = { subject: null, outcome: 'Makes a new key.' }
      const { outcome } = await auditedFromTheStart(db, actor, begins, async () => ({
        subject: null,
        outcome: `New credentials are now signed with ${await rotateSigningKey()}.`,
      }))
      return { text: outcome }
    },
  },
]
