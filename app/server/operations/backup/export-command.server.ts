import path from 'node:path'
import { withDatabase } from '../../database/open-database.server'
import { runCommand } from '../operator-command.server'
import { getBackupSource } from './backup-source.server'
import { exportEverything } from './export.server'

await runCommand({
  name: 'export',
  forms: [
    {
      name: '',
      argumentNames: ['FOLDER'],
      options: {
        'with-secrets': { description: 'also password hashes, sessions and signing keys' },
      },
      description: 'write everything into a new folder, in open formats, while Learnify runs',
      run: ([folder = ''], values) =>
        withDatabase(() => exportInto(path.resolve(folder), values['with-secrets'] === true), {
          needsFiles: true,
        }),
    },
  ],
  note: 'FOLDER/README.md then explains what is there.',
})

async function exportInto(folder: string, withSecrets: boolean): Promise<void> {
  const { rows, missingPhotos } = await exportEverything(getBackupSource(), folder, { withSecrets })
  const tableCounts = Object.values(rows)
  if (missingPhotos) {
    process.stderr.write(`Photos that the file store doesn’t have: ${missingPhotos}.\n`)
  }

  const rowCount = tableCounts.reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `${tableCounts.length} tables with ${rowCount} rows are in ${folder}. Start with README.md there.\n`,
  )
}
