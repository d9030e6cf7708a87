import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../env.server'
import { commandText } from '../operator-command.server'
import type { AddEntry } from './archive.server'
import { addSecrets, beginSnapshotWithPhotos, type StoredSource } from './backup.server'
import { countRows, listTables, openSession, readJsonLines, type StoredTable } from './tables.server'

/** With these, anyone could act as a learner; they are exported only on request. A list means columns, `all` the table. */
export const secretParts: Readonly<Record<string, 'all' | readonly string[]>> = {
  sessions: 'all',
  verifications: 'all',
  rate_limits: 'all',
  identities: ['password', 'access_token', 'refresh_token', 'id_token'],
}

/** The product's own definition of the tables, whose comments explain each column. */
const schemaFiles: Record<string, string> = import.meta.glob(['../../database/schema/*.ts', '!**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

type ExportedTable = StoredTable & { rows: number }

/** Exported files are readable by their owner only, whatever the umask is. */
const fileMode = 0o600
const folderMode = 0o700

/**
 * Writes everything into `folder` in open formats, as of one snapshot, while the product runs.
 *
 * @throws {StartError} if the folder isn't empty.
 */
export async function exportEverything(
  source: StoredSource & { contentDir: string },
  folder: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<{ tables: ExportedTable[]; missingPhotos: number }> {
  await mkdir(folder, { recursive: true, mode: folderMode })
  if ((await readdir(folder)).length > 0) throw new StartError(`${folder} isn’t empty. Export into a new folder.`)
  const add: AddEntry = async (name, bytes) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true, mode: folderMode })
    await writeFile(file, bytes, { mode: fileMode })
  }
  const session = await openSession(source.databaseUrl, 'export')
  try {
    const { missingPhotos } = await beginSnapshotWithPhotos(session, source.files, add)
    await mkdir(path.join(folder, 'tables'), { mode: folderMode })
    const stored = await listTables(session, { computed: true })
    const tables: ExportedTable[] = []
    for (const table of withSecrets ? stored : stored.flatMap(withoutSecrets)) {
      const file = path.join(folder, 'tables', `${table.name}.jsonl`)
      await writeFile(file, readJsonLines(session, table), { mode: fileMode })
      tables.push({ ...table, rows: await countRows(session, table) })
    }
    if (withSecrets) await addSecrets(source, add)
    await copyContent(source.contentDir, path.join(folder, 'content'))
    await add('README.md', Buffer.from(readme(source.version, tables, withSecrets)))
    return { tables, missingPhotos }
  } finally {
    await session.end()
  }
}

function withoutSecrets({ name, columns }: StoredTable): StoredTable[] {
  const secret = secretParts[name] ?? []
  return secret === 'all' ? [] : [{ name, columns: columns.filter((column) => !secret.includes(column)) }]
}

/** A release's own content is in folders that can't be written to; a copy of them couldn't be removed. */
async function copyContent(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true })
  const entries = await readdir(to, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  for (const folder of [to, ...folders.map(({ parentPath, name }) => path.join(parentPath, name))]) {
    await chmod(folder, folderMode)
  }
}

function readme(version: string, tables: readonly ExportedTable[], withSecrets: boolean): string {
  const secrets = withSecrets
    ? 'Password hashes, sessions and signing keys are included: with them, anyone can act as any learner.'
    : `Password hashes, sessions and tokens of sign-in providers aren’t included. \`${commandText('export', 'FOLDER --with-secrets')}\` adds them.`
  const rows = tables.map(({ name, columns, rows }) => `| ${name} | ${rows} | ${columns.join(', ')} |`)
  return `# Everything from Learnify ${version}

${secrets} The search index and the program's own files aren't included.

- \`tables/NAME.jsonl\`: the rows of a table, one JSON object a line. Any tool that reads JSON Lines opens them: \`jq\`,
  \`pandas.read_json('users.jsonl', lines=True)\`, DuckDB (\`select * from 'users.jsonl'\`).
- \`files/\`: learners' photos, as \`users.image\` names them.
- \`content/\`: the courses as their authors wrote them: YAML, Markdown, videos with captions.

\`uid\` and \`user_id\` are \`users.id\`. Dates and times are ISO 8601 in UTC. Intervals are half-open, as PostgreSQL writes them:
\`{[0,1500),[2000,3000)}\`. Texts that learners wrote are Markdown.

| table | rows | columns |
|---|---|---|
${rows.join('\n')}

## What the columns mean
This is how Learnify defines its tables. The comments explain what the names don't.
${Object.values(schemaFiles)
  .map((text) => `\n\`\`\`ts\n${text}\`\`\`\n`)
  .join('')}`
}
