import {
  countRunningAttempts,
  resumeExams,
} from '~/features/exams/attempt/running-exam-queries.server'
import { readSharedState, recordMaintenance } from '~/server/cache/shared-state.server'
import { db, withDatabase } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import type { Maintenance } from '~/server/database/schema'
import {
  formatMaintenanceMessage,
  maxMaintenanceMessageLength,
  parseUntil,
} from '~/server/http/maintenance.server'
import { type OptionValues, runCommand } from '~/server/operations/operator-command.server'
import { StartError } from '~/server/operations/settings/settings.server'
import { formatCount } from '~/ui/format-count'

await runCommand({
  name: 'maintenance',
  forms: [
    {
      name: 'on',
      takes: [],
      options: {
        message: {
          value: 'TEXT',
          says: `what visitors see, up to ${maxMaintenanceMessageLength} characters`,
        },
        until: { value: 'TIME', says: '15:30 by this machine’s clock, or 2026-11-22T15:30Z' },
      },
      says: 'pause changes and signed-in pages; public pages stay up',
      run: (_given, values) => change(readMaintenance(values)),
    },
    { name: 'off', takes: [], says: 'accept everything again', run: () => change(null) },
    {
      name: 'status',
      takes: [],
      says: 'show whether it’s on, and what visitors see',
      run: showState,
    },
  ],
  note: 'It stays on until you turn it off. Every process notices within two seconds. The clocks of running exams stop meanwhile.',
})

function readMaintenance({ message, until }: OptionValues): Maintenance {
  const at = until === undefined ? null : parseUntil(String(until), new Date())
  if (until !== undefined && !at) {
    throw new StartError(`--until: expected a time in the future, like 15:30; not '${until}'.`)
  }

  const words = message?.toString().trim()
  if (
    words !== undefined &&
    (words === '' || words.length > maxMaintenanceMessageLength || /[<>]/.test(words))
  ) {
    throw new StartError(
      `--message: expected up to ${maxMaintenanceMessageLength} characters, without < and >.`,
    )
  }

  return { message: words ?? null, until: at?.toISOString() ?? null }
}

async function change(maintenance: Maintenance | null): Promise<void> {
  const exams = await withDatabase(async () => {
    const { maintenance: former } = await readSharedState(db)
    const since = former?.since ? new Date(former.since) : await databaseTime(db)
    const exams = await countRunningAttempts(db, since)

    return (await recordMaintenance(db, maintenance, resumeExams)) ? exams : 0
  })

  say(maintenance)
  if (exams > 0) {
    process.stdout.write(
      `${maintenance ? 'Paused' : 'Running again'}: ${formatCount(exams, 'exam', 'exams')}.\n`,
    )
  }
}

async function showState(): Promise<void> {
  const { maintenance } = await withDatabase(() => readSharedState(db))
  say(maintenance)
}

function say(maintenance: Maintenance | null): void {
  if (!maintenance) {
    process.stdout.write('Maintenance mode is off.\n')
  } else {
    process.stdout.write(
      `Maintenance mode is on. Visitors see: ${formatMaintenanceMessage(maintenance, new Date())}\n`,
    )
  }
}
