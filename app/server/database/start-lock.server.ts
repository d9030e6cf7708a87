import { setTimeout as delay } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { StartError } from '../env.server'
import { log } from '../log.server'

/** Any numbers; every process of the product agrees on them. */
const keys = { tables: 7_301_001, content: 7_301_002 }
const patienceMs = 60_000
const retryMs = 200

type Lock = keyof typeof keys
type Transaction = { execute(query: SQL): PromiseLike<unknown> }

/**
 * One process changes the tables or loads the content, others that start at the same moment wait for it. The lock ends with
 * the transaction, so that it can't stay behind in a pooler. It is asked for again and again: a connection that waits
 * silently could not be told from one that hangs.
 *
 * @throws {StartError} naming who holds it, after a minute.
 */
export async function lockForStart(
  transaction: Transaction,
  what: Lock,
  { patience = patienceMs } = {},
): Promise<void> {
  const key = keys[what]
  const giveUpAt = performance.now() + patience
  for (let logged = false; ; logged = true) {
    if (await tryLock(transaction, what)) return
    if (!logged) log.info({ what }, 'waiting for another process to start')
    if (performance.now() >= giveUpAt) break
    await delay(Math.min(retryMs, patience))
  }
  throw new StartError(
    `Another process has been changing the ${what} of the database for ${patience / 1000} seconds: ${await describeHolder(transaction, key)}. Wait for it, or end it, and start again.`,
  )
}

/** Takes the lock of `lockForStart` unless another process has it. @returns whether it did. */
async function tryLock(transaction: Transaction, what: Lock): Promise<boolean> {
  const query = sql`select pg_try_advisory_xact_lock(${keys[what]}::bigint) as yes`
  const [row] = (await transaction.execute(query)) as { yes: boolean }[]
  return row?.yes === true
}

async function describeHolder(transaction: Transaction, key: number): Promise<string> {
  const [holder] = (await transaction.execute(sql`
    select a.pid, coalesce(host(a.client_addr), 'this machine') as place, to_char(a.xact_start, 'HH24:MI:SS') as since
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.classid = ${Math.floor(key / 2 ** 32)}::oid and l.objid = ${key % 2 ** 32}::oid
    limit 1`)) as { pid: number; place: string; since: string | null }[]
  if (!holder) return 'one that has ended'
  return `session ${holder.pid} from ${holder.place}, since ${holder.since ?? 'an unknown time'}`
}
