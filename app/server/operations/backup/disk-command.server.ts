import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { db, withDatabase } from '../../database/client.server'
import { env } from '../../env.server'
import { runCommand } from '../operator-command.server'

await runCommand({
  name: 'disk',
  forms: [
    {
      name: '',
      takes: [],
      says: 'what fills the disk: each table with its rows, and the folders of DATA_DIR',
      async run() {
        await withDatabase(printTables)
        await printFolders()
      },
    },
  ],
})

async function printTables(): Promise<void> {
  const { rows: tables } = await db.execute<{ name: string; bytes: number }>(sql`
    select oid::regclass::text as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by bytes desc`)
  for (const { name, bytes } of tables) print(bytes, `${name}, rows: ${await db.$count(sql.raw(name))}`)
}

async function printFolders(): Promise<void> {
  for (const entry of await readdir(env.DATA_DIR, { withFileTypes: true }).catch(() => [])) {
    const folder = path.join(env.DATA_DIR, entry.name)
    if (entry.isDirectory()) print(await sizeOf(folder), folder)
  }
}

/** Files may come and go meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (file.isFile()) bytes += (await stat(path.join(file.parentPath, file.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}

function print(bytes: number, what: string): void {
  process.stdout.write(`${(bytes / 1e6).toFixed(1).padStart(10)} MB  ${what}\n`)
}
