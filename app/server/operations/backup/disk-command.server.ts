import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { db } from '../../database/client.server'
import { withDatabase } from '../../database/open-database.server'
import { env } from '../../env.server'
import { runCommand } from '../operator-command.server'

await runCommand({
  name: 'disk',
  forms: [
    {
      name: '',
      argumentNames: [],
      description: 'what fills the disk: each table with its rows, and the folders of DATA_DIR',
      run: () => withDatabase(printSizes),
    },
  ],
})

async function printSizes(): Promise<void> {
  const { rows: tables } = await db.execute<{ name: string; kb: number }>(sql`
    select
      oid::regclass::text as name,
      pg_total_relation_size(oid)::float8 / 1024 as kb
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
    order by kb desc`)
  for (const { name, kb } of tables) {
    printSize(kb, `${name}, rows: ${await db.$count(sql.raw(name))}`)
  }

  // `du` may fail because a file was removed meanwhile, or because the product runs on another
  // machine and has no folder here. Its output is used all the same.
  const { stdout } = await promisify(execFile)('du', ['-kd1', env.DATA_DIR]).catch((error) => error)
  for (const [, kb, folder] of stdout.matchAll(/^(\d+)\t(.+)$/gm)) {
    printSize(Number(kb), folder)
  }
}

function printSize(kibibytes: number, description: string): void {
  const megabytes = (kibibytes * 1024) / 1e6
  process.stdout.write(`${megabytes.toFixed(1).padStart(10)} MB  ${description}\n`)
}
