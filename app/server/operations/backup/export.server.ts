import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../env.server'
import { formatCommand } from '../operator-command.server'
import { addSecrets, type BackupSource, beginSnapshotWithPhotos } from './backup-source.server'
import { countRows, openSession, readJsonLines } from './tables.server'

/**
 * The secrets of each table, either some columns or the whole table (`all`). With them, anyone
 * could act as a learner or redeem a gift, so they are exported only on request.
 */
export const secretParts: Readonly<Record<string, 'all' | readonly string[]>> = {
  sessions: 'all',
  security_links: 'all',
  verifications: 'all',
  rate_limits: 'all',
  identities: ['password', 'access_token', 'refresh_token', 'id_token'],
  gifts: ['code'],
  two_factor: ['secret', 'recovery_hashes', 'recovery_salt'],
}

/** The source of the schema. Its comments explain the columns to readers of an export. */
const schemaFiles: Record<string, string> = import.meta.glob(
  ['../../database/schema/*.ts', '!**/*.test.ts'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

/**
 * Writes everything into a folder, in open formats and as of one snapshot, while the product runs.
 * Only the owner of the folders and files can open them, even if the umask allows more.
 *
 * @returns the number of rows of each table, and of missing photos
 * @throws {StartError} if the folder is not empty
 */
export async function exportEverything(
  source: BackupSource & { contentDir: string },
  folder: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<{ rows: Record<string, number>; missingPhotos: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`${folder} isn’t empty. Export into a new folder.`)
  }

  const add = async (name: string, bytes: Uint8Array | AsyncIterable<Buffer>) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, bytes, { mode: 0o600 })
  }
  const session = await openSession(source.databaseUrl, 'export')
  try {
    const { tables, missingPhotos } = await beginSnapshotWithPhotos(session, source.files, add)
    const rows: Record<string, number> = {}
    for (const table of tables) {
      const omittedColumns = withSecrets ? [] : (secretParts[table.name] ?? [])
      if (omittedColumns === 'all') {
        continue
      }

      rows[table.name] = await countRows(session, table)
      await add(`tables/${table.name}.jsonl`, readJsonLines(session, table, omittedColumns))
    }

    if (withSecrets) {
      await addSecrets(source, add)
    }

    await cp(source.contentDir, path.join(folder, 'content'), { recursive: true })
    // The content of a release is read-only, and a read-only copy could not be removed. Others must
    // not read the copy, because it contains the answers of exams.
    await promisify(execFile)('chmod', ['-R', 'u+w,go=', path.join(folder, 'content')])
    await add('README.md', Buffer.from(formatReadme(source.version, rows, withSecrets)))

    return { rows, missingPhotos }
  } finally {
    await session.end()
  }
}

function formatReadme(version: string, rows: Record<string, number>, withSecrets: boolean): string {
  const secrets = withSecrets
    ? 'Password hashes, sessions, signing keys and the codes of gifts are included: with them, anyone can act as any learner.'
    : `Password hashes, sessions, tokens of sign-in providers and the codes of gifts aren’t included. \`${formatCommand('export', 'FOLDER --with-secrets')}\` adds them.`
  return `# Everything from Learnify ${version}

${secrets} The search index and the program's own files aren't included.

- \`tables/NAME.jsonl\`: the rows of a table, one JSON object a line. Any tool that reads JSON Lines opens them: \`jq\`,
  \`pandas.read_json('users.jsonl', lines=True)\`, DuckDB (\`select * from 'users.jsonl'\`).
- \`files/\`: learners' photos, as \`users.image\` names them.
- \`content/\`: the courses as their authors wrote them: YAML, Markdown, videos with captions.

\`uid\` and \`user_id\` are \`users.id\`. Dates and times are ISO 8601 in UTC. Intervals are half-open, as PostgreSQL writes them:
\`{[0,1500),[2000,3000)}\`. Texts that learners wrote are Markdown.

| table | rows |
|---|---|
${Object.entries(rows)
  .map(([name, count]) => `| ${name} | ${count} |`)
  .join('\n')}

## What the columns mean
This is how Learnify defines its tables. The comments explain what the names don't.
${Object.values(schemaFiles)
  .map((text) => `\n\`\`\`ts\n${text}\`\`\`\n`)
  .join('')}`
}
