/** `npm run maintenance`: pauses changes and signed-in pages, for example during an update. */
import {
  countRunningAttempts,
  resumeExams,
} from '~/features/exams/attempt/running-exam-queries.server'
import { readSharedState, recordMaintenance } from '~/server/cache/shared-state.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { withDatabase } from '~/server/database/open-database.server'
import type { Maintenance } from '~/server/database/schema'
import {
  formatMaintenanceMessage,
  maxMaintenanceMessageLength,
  parseMaintenanceEnd,
} from '~/server/http/maintenance.server'
import { type OptionValues, runCommand } from '~/server/operations/operator-command.server'
import { StartError } from '~/server/operations/settings/settings.server'
import { formatCount } from '~/ui/format-count'

await runCommand({
  name: 'maintenance',
  forms: [
    {
      name: 'on',
      argumentNames: [],
      options: {
        message: {
          value: 'TEXT',
          description: `what visitors see, up to ${maxMaintenanceMessageLength} characters`,
        },
        until: {
          value: 'TIME',
          description: '15:30 by this machine’s clock, or 2026-11-22T15:30Z',
        },
      },
      description: 'pause changes and signed-in pages; public pages stay up',
      run: (_given, options) => changeMaintenance(parseMaintenance(options)),
    },
    {
      name: 'off',
      argumentNames: [],
      description: 'accept everything again',
      run: () => changeMaintenance(null),
    },
    {
      name: 'status',
      argumentNames: [],
      description: 'show whether it’s on, and what visitors see',
      run: showStatus,
    },
  ],
  note: 'It stays on until you turn it off. Every process notices within two seconds. The clocks of running exams stop meanwhile.',
})

/** @throws {StartError} if an option is wrong */
function parseMaintenance({ message, until }: OptionValues): Maintenance {
  const untilTime = until === undefined ? null : parseMaintenanceEnd(String(until), new Date())
  if (until !== undefined && untilTime === null) {
    throw new StartError(`--until: expected a time in the future, like 15:30; not '${until}'.`)
  }

  const text = message === undefined ? null : String(message).trim()
  if (text !== null && !isValidMessage(text)) {
    throw new StartError(
      `--message: expected up to ${maxMaintenanceMessageLength} characters, without < and >.`,
    )
  }

  return { message: text, until: untilTime?.toISOString() ?? null }
}

function isValidMessage(text: string): boolean {
  return text !== '' && text.length <= maxMaintenanceMessageLength && !/[<>]/.test(text)
}

/** @param maintenance null turns the maintenance mode off */
async function changeMaintenance(maintenance: Maintenance | null): Promise<void> {
  const examCount = await withDatabase(async () => {
    const { maintenance: previousMaintenance } = await readSharedState(db)
    const pausedSince = previousMaintenance?.since
      ? new Date(previousMaintenance.since)
      : await databaseTime(db)
    const runningExamCount = await countRunningAttempts(db, pausedSince)

    const hasChanged = await recordMaintenance(db, maintenance, resumeExams)
    return hasChanged ? runningExamCount : 0
  })

  printStatus(maintenance)
  if (examCount > 0) {
    const change = maintenance ? 'Paused' : 'Running again'
    process.stdout.write(`${change}: ${formatCount(examCount, 'exam', 'exams')}.\n`)
  }
}

async function showStatus(): Promise<void> {
  const { maintenance } = await withDatabase(() => readSharedState(db))
  printStatus(maintenance)
}

function printStatus(maintenance: Maintenance | null): void {
  if (maintenance === null) {
    process.stdout.write('Maintenance mode is off.\n')
    return
  }

  const message = formatMaintenanceMessage(maintenance, new Date())
  process.stdout.write(`Maintenance mode is on. Visitors see: ${message}\n`)
}
