import { rotateSigningKey } from '~/features/certificates/credential/credential-keys.server'
import { performAuditedWork } from '~/features/staff/audit.server'
import { success } from '~/server/result'
import type { AdminCommand } from './command-definition.server'

export const keyCommands: AdminCommand[] = [
  {
    name: 'keys rotate',
    takes: [],
    says: 'sign new credentials with a new key; old ones can still be verified',
    effect: 'changes',
    files: true,
    async run({ db, operator }) {
      const actor = { by: operator, act: 'certificate rotate-key' }
      const firstEntry = { subject: null, outcome: 'Makes a new key.' }

      const { outcome } = await performAuditedWork(db, actor, firstEntry, async () => ({
        subject: null,
        outcome: `New credentials are now signed with ${await rotateSigningKey()}.`,
      }))

      return success({ text: outcome })
    },
  },
]
