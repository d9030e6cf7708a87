import type { Act } from './act.server'
import { exportAccounts } from './learners-export.server'
import { fastestPace, importLearners, usualPace } from './learners-import.server'

/** About many learners at once. */
export const learnersActs: Act[] = [
  {
    name: 'learners export',
    takes: ['FILE|-'],
    says: 'write all accounts with their courses as CSV; - is standard output',
    effect: 'exports',
    run: (call) => exportAccounts(call, call.given[0] ?? ''),
  },
  {
    name: 'learners import',
    takes: ['FILE'],
    options: {
      'dry-run': { says: 'print what would happen to each line, and change nothing' },
      'emails-per-minute': {
        value: 'N',
        says: `how fast invitations leave, up to ${fastestPace}; ${usualPace} by default`,
      },
    },
    says: 'create accounts and enroll them, from CSV: email, first_name, last_name, courses',
    effect: 'changes',
    run: importLearners,
  },
]
