import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Sql } from 'postgres'
import { StartError } from '~/server/env.server'

/** A connection, or a transaction of it. */
export type Query = Pick<Sql, 'unsafe'>

/**
 * Takes the rows of one table, piece by piece.
 *
 * @throws {StartError} if PostgreSQL refuses them.
 */
export async function openTableWriter(sql: Query, { name, columns }: { name: string; columns: string[] }) {
  const rows: Writable = await sql.unsafe(`copy public.${quoted(name)} (${listed(columns)}) from stdin`).writable()
  const refuse = (error: Error): never => {
    throw new StartError(`PostgreSQL refused rows of the table ${name}: ${error.message}`)
  }
  const failed = once(rows, 'close').then(() => {
    if (rows.errored) refuse(rows.errored)
  })
  failed.catch(() => {})
  return {
    async write(part: Uint8Array): Promise<void> {
      if (!rows.write(part)) await Promise.race([once(rows, 'drain'), failed])
    },
    async end(): Promise<void> {
      // postgres.js keeps silent if the server refuses the rows at their end; only the next statement hears of it.
      const sent = whenFinal(rows)
      rows.end()
      await Promise.race([sent, failed])
      await sql.unsafe('select 1').catch(refuse)
    },
  }
}

/** When all of it is on its way to the server, which may not have answered. */
function whenFinal(stream: Writable): Promise<void> {
  const final = stream._final
  return new Promise((resolve) => {
    stream._final = (callback) => {
      final.call(stream, callback)
      resolve()
    }
  })
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listed = (columns: readonly string[]) => columns.map(quoted).join(', ')
