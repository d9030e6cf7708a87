import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { db, withDatabase } from '../database/client.server'
import { env } from '../env.server'
import { runCommand } from '../operator-command.server'

await runCommand({
  name: 'disk',
  forms: [
    {
      name: '',
      takes: [],
      says: 'what fills the disk: each table with its rows, and the folders of DATA_DIR',
      async run() {
        await withDatabase(listTables)
        await listFolders()
      },
    },
  ],
})

async function listTables(): Promise<void> {
  const { rows: tables } = await db.execute<{ name: string; bytes: number }>(sql`
    select oid::regclass::text as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by bytes desc`)
  for (const { name, bytes } of tables) {
    const {
      rows: [row],
    } = await db.execute<{ rows: number }>(sql`select count(*)::float8 as rows from ${sql.raw(name)}`)
    say(bytes, `${name}, rows: ${row?.rows ?? 0}`)
  }
}

async function listFolders(): Promise<void> {
  for (const entry of await readdir(env.DATA_DIR, { withFileTypes: true }).catch(() => [])) {
    const folder = path.join(env.DATA_DIR, entry.name)
    if (entry.isDirectory()) say(await bytesIn(folder), folder)
  }
}

function say(bytes: number, what: string): void {
  process.stdout.write(`${(bytes / 1e6).toFixed(1).padStart(10)} MB  ${what}\n`)
}

/** Files may come and go meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await lstat(file).catch(() => null)
    bytes += found?.isDirectory() ? await bytesIn(file) : (found?.size ?? 0)
  }
  return bytes
}
