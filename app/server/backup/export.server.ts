import { createWriteStream } from 'node:fs'
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openSingleConnection } from '../database/single-connection.server'
import { StartError } from '../env.server'
import { commandText } from '../operator-command.server'
import type { AddEntry } from './backup-archive.server'
import { NamedFiles } from './named-files.server'
import { addSecrets } from './secret-files.server'
import { readSnapshot } from './snapshot.server'
import type { StoredSource } from './stored-source.server'
import { derivedTables, type Query, readJsonLines } from './stored-tables.server'
import { type DescribedTable, describeTables } from './table-descriptions.server'

/** Whoever has these can act as a learner; they are exported only when asked for. A list means columns, `all` the table. */
export const secretParts: Readonly<Record<string, 'all' | readonly string[]>> = {
  sessions: 'all',
  verifications: 'all',
  rate_limits: 'all',
  identities: ['password', 'access_token', 'refresh_token', 'id_token'],
}

type ExportSource = StoredSource & { contentDir: string }
export type FinishedExport = { tables: { name: string; rows: number }[]; missingFiles: number }

/**
 * Writes everything into `folder` in open formats, as of one moment, while the product runs.
 *
 * @throws {StartError} if the folder isn't empty.
 */
export async function exportEverything(
  source: ExportSource,
  folder: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<FinishedExport> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StartError(`${folder} isn’t empty. Export into a new folder.`)
  await mkdir(path.join(folder, 'tables'), { mode: ownFolder })
  const sql = openSingleConnection(source.databaseUrl, 'export')
  try {
    const add = adderTo(folder)
    const files = new NamedFiles(source.files, add)
    await files.addNew(sql)
    const tables = await readSnapshot(sql, async (snapshot) => {
      await files.addNew(snapshot)
      return exportTables(snapshot, folder, withSecrets)
    })
    if (withSecrets) await addSecrets(source, add)
    await copyContent(source.contentDir, path.join(folder, 'content'))
    await add('README.md', Buffer.from(readme(source.version, tables, withSecrets)))
    return { tables: tables.map(({ name, rows }) => ({ name, rows })), missingFiles: files.missing }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Nobody else reads what is exported, whoever made the folder and whatever the umask is. */
const ownFile = 0o600
const ownFolder = 0o700

function adderTo(folder: string): AddEntry {
  return async (name, bytes) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true, mode: ownFolder })
    await writeFile(file, bytes, { mode: ownFile })
  }
}

/** A release's own content is in folders that can't be written to; a copy of them couldn't be removed. */
async function copyContent(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true })
  const entries = await readdir(to, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  for (const place of [to, ...folders.map(({ parentPath, name }) => path.join(parentPath, name))]) {
    await chmod(place, ownFolder)
  }
}

type ExportedTable = DescribedTable & { rows: number }

async function exportTables(snapshot: Query, folder: string, withSecrets: boolean): Promise<ExportedTable[]> {
  const exported: ExportedTable[] = []
  for (const table of await describeTables(snapshot)) {
    const secret = withSecrets ? [] : (secretParts[table.name] ?? [])
    if (table.name in derivedTables || secret === 'all') continue
    const columns = table.columns.filter(({ name }) => !secret.includes(name))
    let rows = 0
    const lines = readJsonLines(snapshot, { name: table.name, columns: columns.map(({ name }) => name) })
    const counted = Readable.from(lines).on('data', (part: Buffer) => {
      for (const byte of part) if (byte === 0x0a) rows += 1
    })
    await pipeline(counted, createWriteStream(path.join(folder, 'tables', `${table.name}.jsonl`), { mode: ownFile }))
    exported.push({ ...table, columns, rows })
  }
  return exported
}

function readme(version: string, tables: readonly ExportedTable[], withSecrets: boolean): string {
  const left = withSecrets
    ? 'Password hashes, sessions and signing keys are in here: whoever has this folder can act as any learner.'
    : `Left out because anyone who finds this folder could use them: password hashes, sessions and tokens of sign-in providers. \`${commandText('export', 'FOLDER --with-secrets')}\` adds them.`
  return `# Everything from Learnify ${version}

${left} The search index and the program's own files aren't included.

- \`tables/NAME.jsonl\`: the rows of a table, one JSON object a line. Below is what each column means. Any tool that reads JSON
  Lines opens them: \`jq\`, \`pandas.read_json('users.jsonl', lines=True)\`, DuckDB (\`select * from 'users.jsonl'\`).
- \`files/\`: learners' photos, as \`users.image\` names them.
- \`content/\`: the courses as their authors wrote them: YAML, Markdown, films with captions.

\`uid\` and \`user_id\` are \`users.id\`. Dates and times are ISO 8601 in UTC. Intervals are half-open, as PostgreSQL writes them:
\`{[0,1500),[2000,3000)}\`. Texts that learners wrote are Markdown.

${tables.map(describe).join('\n')}`
}

function describe({ name, meaning, columns, references, rows }: ExportedTable): string {
  const lines = columns.map(
    (column) => `| \`${column.name}\` | ${column.type}${column.required ? '' : ', may be null'} | ${column.meaning} |`,
  )
  const leads = references.length > 0 ? `${references.join('; ')}.\n` : ''
  const introduction = [meaning, `${rows} ${rows === 1 ? 'row' : 'rows'}.`].filter(Boolean).join(' ')
  return `## ${name}\n${introduction}\n${leads}\n| column | type | meaning |\n|---|---|---|\n${lines.join('\n')}\n`
}
