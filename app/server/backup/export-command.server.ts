import path from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabaseForCommand } from '../database/client.server'
import { StartError } from '../env.server'
import { exportEverything } from './export.server'
import { storedSource } from './stored-source.server'

const usage = `npm run export -- FOLDER                 write everything into a new folder, in open formats, while Learnify runs
npm run export -- FOLDER --with-secrets  also password hashes, sessions and signing keys
FOLDER/README.md then explains what is there.
`

try {
  const options = { 'with-secrets': { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [folder] = positionals
  if (values.help) process.stdout.write(usage)
  else if (!folder || positionals.length > 1) throw new StartError(usage.trimEnd())
  else await run(path.resolve(folder), Boolean(values['with-secrets']))
} catch (error) {
  const isMistake = error instanceof StartError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  if (!isMistake) throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

async function run(folder: string, withSecrets: boolean): Promise<void> {
  const close = await openDatabaseForCommand({ files: true })
  try {
    const { tables, missingFiles } = await exportEverything(storedSource(), folder, { withSecrets })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    if (missingFiles) process.stderr.write(`Photos that the file store doesn’t have: ${missingFiles}.\n`)
    process.stdout.write(`${tables.length} tables with ${rows} rows are in ${folder}. Start with README.md there.\n`)
  } finally {
    await close()
  }
}
