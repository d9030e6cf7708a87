import {
  findCertificateHolder,
  reissueCertificate,
  revokeCertificate,
} from '~/features/certificates/certificate-operations.server'
import { rotateSigningKey } from '~/features/certificates/credential/credential-keys.server'
import { env, StartError } from '~/server/env.server'
import type { AdminCommand } from './admin-command.server'
import { audited, auditedFromTheStart } from './audit.server'

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
      if (!words || words.length > longestReason)
        throw new StartError(`Give a reason of at most ${longestReason} characters: --reason TEXT`)
      const { outcome } = await audited(db, actor, async (transaction) => {
        const holder = await findCertificateHolder(transaction, id)
        if (!(await revokeCertificate(transaction, id, words, now)))
          throw new StartError(`No certificate has the number '${id}'.`)
        const outcome = 'The certificate has been revoked.'
        return { subject: holder ?? id, arguments: { certificate: id, reason: words }, outcome }
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
        const newId = await reissueCertificate(transaction, id, now)
        if (!newId) throw new StartError(`No learner holds a certificate with the number '${id}'.`)
        const outcome = `The new certificate: ${env.PUBLIC_URL}/Certificate/${newId}`
        return { subject: holder, arguments: { certificate: id }, outcome }
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
