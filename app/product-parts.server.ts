/**
 * Lists the parts of the product, in the order in which they start. `main.server.ts` starts them,
 * and stops them in reverse.
 */
import { mkdir } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { ContentHooks } from '~/features/courses/content/content-loader.server'
import {
  loadContentAtStart,
  refreshContentWarning,
  reloadContent,
} from '~/features/courses/content/content-reload.server'
import { watchContent } from '~/features/courses/content/content-watch.server'
import { getCurrencyDecimals } from '~/features/school/money'
import { pageCache } from '~/server/cache/page-cache.server'
import { followSharedState } from '~/server/cache/shared-state.server'
import { db, withOwnConnection } from '~/server/database/client.server'
import { openDatabase } from '~/server/database/open-database.server'
import { openReadReplica } from '~/server/database/read-replica.server'
import { env } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { watchEventLoop } from '~/server/http/event-loop.server'
import type { HttpServer } from '~/server/http/http-server.server'
import { startBackgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import type { Stop } from '~/server/operations/shutdown.server'
import { failure } from '~/server/result'
import { refreshSite, siteCurrency } from '~/server/site/site.server'
import {
  createListener,
  type HttpFeatures,
  openPages,
  type Pages,
  startListening,
  type Vite,
} from './open-pages.server'

export type ProductPart = {
  name: string
  /** Returns the function that stops the part, if it needs stopping. */
  start(): Promise<Stop | undefined> | Stop | undefined
}

/** What the features add to the server, which does not import features itself. */
export type ProductFeatures = HttpFeatures & {
  accounts: { open(): Promise<Stop> }
  contentHooks: ContentHooks
  /** The parts that run without a request. They start before the first request is handled. */
  backgroundParts: readonly ProductPart[]
  /**
   * Creates a link that makes its visitor the school’s owner, and returns its path. Returns null if
   * the school has an owner.
   */
  createFirstOwnerLink(): Promise<string | null>
}

type ListPartsOptions = {
  /** Undefined in production. */
  vite: Vite | undefined
  /** Gets the HTTP server, which is the last part. */
  onListening(server: HttpServer): void
}

/** Returns all parts of the product. Each part needs only the parts before it. */
export function listParts(
  features: ProductFeatures,
  { vite, onListening }: ListPartsOptions,
): ProductPart[] {
  const { accounts, contentHooks } = features
  // The part 'pages' sets this variable for the part 'HTTP'.
  let pages: Pages

  return [
    { name: 'data folder', start: createDataFolder },
    { name: 'event loop', start: watchEventLoop },
    { name: 'database', start: openDatabase },
    {
      name: 'content',
      async start() {
        // A large school takes longer than the time limit of the common connections.
        await withOwnConnection((database) => loadContentAtStart(contentHooks, database))
        loadedPriceDecimals = getCurrencyDecimals(siteCurrency())
        addReadinessChecks()
      },
    },
    {
      name: 'shared state',
      start: () => followSharedState(() => applySharedState(contentHooks)),
    },
    { name: 'read replica', start: () => openReadReplica() },
    { name: 'background work', start: () => startBackgroundWork() },
    { name: 'accounts', start: () => accounts.open() },
    ...features.backgroundParts,
    {
      name: 'pages',
      async start() {
        pages = await openPages(features, vite)
      },
    },
    {
      name: 'content watch',
      start: () => (vite ? watchContent({ load: () => reloadContent(contentHooks) }) : undefined),
    },
    {
      name: 'HTTP',
      async start() {
        const listener = createListener(features, pages, vite)
        const server = await startListening(listener)
        onListening(server)
        return server.close
      },
    },
  ]
}

async function createDataFolder(): Promise<undefined> {
  // The database may run under another account, which has to enter the folder. Private files have
  // stricter modes.
  await mkdir(`${env.DATA_DIR}/files`, { recursive: true, mode: 0o711 })
}

function addReadinessChecks(): void {
  readiness.addCheck('database', () => db.execute(sql`select 1`))
  readiness.addCheck('content', async () => {
    const { rows } = await db.execute(sql`select from content_state`)
    if (rows.length === 0) {
      throw new Error('No content is loaded yet.')
    }
  })

  readiness.addCheck('storage', () => fileStore.check(), {
    warning: 'Profile photos can’t be stored or shown.',
  })
}

/**
 * The number of decimals of the currency in which this process has read the prices of courses. The
 * site's currency may have changed since, because a page at the desk reads the site, too.
 */
let loadedPriceDecimals: number | null = null

/** Applies what another process, staff or an operator has changed. */
async function applySharedState(contentHooks: ContentHooks): Promise<void> {
  await refreshSite(db)
  pageCache.clear()

  // This takes a while, because it reads the content. The new pages don't wait for it.
  refreshContentWarning().catch((error) =>
    log.warn({ err: error }, 'the warning about the content was not updated'),
  )

  // Prices are stored in the currency's smallest unit, so they change with its decimals.
  const decimals = getCurrencyDecimals(siteCurrency())
  if (decimals === loadedPriceDecimals) {
    return
  }

  const result = await reloadContent(contentHooks).catch((error: Error) => failure(error.message))
  if (!result.ok) {
    log.error({ problem: result.problem }, 'the content was not read in the new currency')
    return
  }

  loadedPriceDecimals = decimals
}
