import { type SQL, sql } from 'drizzle-orm'
import type { Database, Statements } from './database/client.server'
import { databaseTime } from './database/database-time.server'
import { productState } from './database/schema'
import type { Maintenance } from './maintenance-words'

/** What a change is about. A page that shows one of these names it by `pageShows`. */
export type Subject = `course:${string}` | 'catalogue' | 'certificates' | typeof everything

/** The content: whatever is kept is outdated. */
export const everything = '*'
/** Lists of courses and their order. */
export const catalogue = 'catalogue'
/** Their pages are never kept, but a replica has to be up to date to show them. */
export const certificates = 'certificates'
/** One course: its page, and wherever its rating is shown. */
export const courseSubject = (courseId: string): Subject => `course:${courseId}`

export type ProductState = {
  version: number
  changes: readonly string[]
  maintenance?: Maintenance | null
  /**
   * PostgreSQL's timeline: a standby that took over without the last changes gives their versions to others. Null where the
   * engine has none.
   */
  history?: string | null
}

/** Changes that are remembered; who has missed more takes everything for changed. */
const remembered = 256
/** Of more subjects at once, everything counts as changed. */
const mostAtOnce = 64

/** For whoever listens that the version has moved; its payload is the new one. */
export const changeChannel = 'learnify_changes'

/** @param known with this version, the changes are left out. */
export async function readProductState(db: Database, known: number | null): Promise<ProductState> {
  const ask = (history: SQL) =>
    db.execute<ProductState>(sql`select version::float8 as version,
      case when version is distinct from ${known}::bigint then changes else '{}' end as changes, maintenance,
      ${history} as history from product_state where id = 1`)
  const { rows } = await ask(withoutTimeline.has(db) ? sql`null` : timeline).catch((error) => {
    if (!isWithoutTimeline(error)) throw error
    withoutTimeline.add(db)
    return ask(sql`null`)
  })
  return rows[0] ?? { version: 0, changes: [] }
}

const timeline = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`
/** Databases that have said that they tell none. */
const withoutTimeline = new WeakSet<Database>()

/**
 * The engine doesn't know these functions, doesn't support them, or keeps them from the product's role. Anything else
 * passes and is thrown: a server in recovery (55000), which is a standby just now, or tables that aren't there (42P01).
 */
function isWithoutTimeline({ cause }: { cause?: { code?: string } }): boolean {
  return ['42883', '0A000', '42501'].includes(cause?.code ?? '')
}

/**
 * Tells every process that public pages show something new, once the transaction commits. Make it the last statement: the
 * row is locked until then, which gives versions the order of the commits.
 */
export async function recordPublicChange(
  transaction: Pick<Statements, 'execute'>,
  subjects: readonly Subject[],
): Promise<void> {
  if (subjects.length === 0) return
  const changes = subjects.length > mostAtOnce ? [everything] : [...new Set(subjects)]
  await transaction.execute(sql`
    with noted as (
      insert into product_state as s (id, version, changes)
      values (1, ${changes.length}::int, ${sql.param(changes)}::text[])
      on conflict (id) do update set
        version = s.version + excluded.version,
        changes = (s.changes || excluded.changes)[cardinality(s.changes || excluded.changes) - ${remembered - 1}::int:]
      returning version
    )
    select pg_notify(${changeChannel}, version::text) from noted`)
}

/** What changed since the version `known`. @returns null when that is unknown, or everything. */
export function listChanges(known: number, { version, changes }: ProductState): readonly string[] | null {
  const missed = version - known
  if (missed === 0) return []
  // It goes back only with a database that was restored.
  if (missed < 0 || missed > changes.length) return null
  const list = changes.slice(-missed)
  return list.includes(everything) ? null : list
}

/**
 * Tells every process that maintenance begins, goes on with other words, or ends; pages stay as they are.
 *
 * @param onEnd what belongs to its end, in the same transaction.
 * @returns whether it begins or ends; not where it was on, or off, already.
 */
export async function recordMaintenance(
  db: Database,
  maintenance: Omit<Maintenance, 'since'> | null,
  onEnd?: (transaction: Statements, since: Date, now: Date) => Promise<void>,
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('maintenance', 0))`)
    const [before] = await transaction.select({ maintenance: productState.maintenance }).from(productState)
    const { maintenance: former = null } = before ?? {}
    const since = former?.since
    const now = await databaseTime(transaction)
    if (!maintenance && since) await onEnd?.(transaction, new Date(since), now)
    const stored = maintenance && { ...maintenance, since: since ?? now.toISOString() }
    await transaction
      .insert(productState)
      .values({ id: 1, maintenance: stored })
      .onConflictDoUpdate({ target: productState.id, set: { maintenance: stored } })
    // No version: whoever hears it takes a look.
    await transaction.execute(sql`select pg_notify(${changeChannel}, 'maintenance')`)
    return (former === null) !== (maintenance === null)
  })
}
