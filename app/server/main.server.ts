import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import { createRequestHandler, type ServerBuild } from 'react-router'
import { startBackgroundWork } from './background-work.server'
import { shareBuildFiles } from './build-files.server'
import type { ContentFeatures } from './content/content-loader.server'
import { watchContent } from './content/content-watch.server'
import { reloadContent, takeUpContent } from './content/load-content-on-start.server'
import { db, openDatabase } from './database/client.server'
import { openReadReplica } from './database/read-replica.server'
import { env, isLoopback, StartError, settingWarnings } from './env.server'
import { watchEventLoop } from './event-loop.server'
import { fileStore } from './files.server'
import { refuseWhileFull } from './full-line-front.server'
import { type AccountFront, createHttpApp } from './http.server'
import { sendKeptPage } from './kept-page-front.server'
import { type Listening, listenOn } from './listening.server'
import { captureConsole, log } from './log.server'
import { mailPlace } from './mail.server'
import { serveMetrics } from './metrics/metrics-front.server'
import { followChanges } from './product-watch.server'
import { onPublicOrigin } from './public-origin.server'
import { readiness } from './readiness.server'
import { headersOfEveryResponse } from './response-headers.server'
import type { Work } from './shedding'
import { limitStop, outliveErrors, type Stop, stopAll, watchForStop } from './shutdown.server'

type Start = () => Promise<Stop> | Stop
type RequestOf<Index extends 0 | 1> = Parameters<RequestListener>[Index]

/** What the features bring to the server, which knows none of them. */
export type Program = {
  accounts: AccountFront & {
    open: Start
    /** Whether a POST to this path has to wait in a line that is full. */
    isFull(path: string): boolean
  }
  /** Answers its own requests before all others; null on most machines. */
  sampleProvider: {
    handles(request: RequestOf<0>): boolean
    handle(...answering: Parameters<RequestListener>): void
  } | null
  contentFeatures: ContentFeatures
  /** Says what a server that is behind refuses first. */
  workOf: (method: string, path: string) => Work
  /** Work that no request asks for; started before the first request is answered. */
  work: readonly Start[]
  /** Of every answer; its value names the build. */
  buildHeader: string
}
type Development = { middleware: Middleware; loadBuild(): Promise<ServerBuild> }
type Middleware = (request: RequestOf<0>, response: RequestOf<1>, next: () => void) => void

/**
 * Starts everything, in the order in which the parts need each other.
 *
 * @param development Vite's middleware and its way to load the pages, so that an edit shows at once.
 * @param stops gets what stops each part that was started, also when a later one fails.
 * @param signal ends the start before the next part.
 * @throws {StartError} with a sentence for the operator.
 */
async function startProduct(
  { accounts, sampleProvider, contentFeatures, workOf, work, buildHeader }: Program,
  development: Development | undefined,
  stops: Stop[],
  signal: AbortSignal,
): Promise<Listening> {
  const start = async (part: Start) => {
    stops.push(await part())
    signal.throwIfAborted()
  }
  // The database may run as another account, which has to pass through; what is private has a mode of its own.
  await mkdir(`${env.DATA_DIR}/files`, { recursive: true, mode: 0o711 })
  await start(watchEventLoop)
  await start(openDatabase)
  await takeUpContent(contentFeatures)
  signal.throwIfAborted()
  addReadinessChecks()
  await start(() => followChanges())
  await start(() => openReadReplica())
  await start(development ? () => watchContent({ load: () => reloadContent(contentFeatures) }) : shareBuildFiles)
  const build = development?.loadBuild ?? (await import('virtual:react-router/server-build'))
  const pages = createRequestHandler(build, env.NODE_ENV)
  await start(() => startBackgroundWork())
  await start(accounts.open)
  for (const part of work) await start(part)
  const name = typeof build === 'function' ? 'development' : build.assets.version
  const headers = headersOfEveryResponse(buildHeader, name)
  const app = createHttpApp({ pages: (request) => pages(request), accounts, workOf, headers, build: name })
  const answer = getRequestListener(app.fetch)
  const refuseFull = await refuseWhileFull(accounts.isFull, headers)
  const settings = { publicUrl: env.PUBLIC_URL, port: env.PORT, trustedProxies: env.TRUST_PROXY, headers }
  const listener = onPublicOrigin(
    settings,
    (request, response) =>
      sampleProvider?.handles(request) ? sampleProvider.handle(request, response) : answer(request, response),
    (...asked) => sendKeptPage(...asked) || refuseFull(...asked),
  )
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = env
  if (port) await start(() => serveMetrics({ port, host, token }, name))
  const listening = await listen(
    development ? (req, res) => development.middleware(req, res, () => listener(req, res)) : listener,
  )
  await start(() => listening.close)
  return listening
}

function addReadinessChecks(): void {
  readiness.addCheck('database', () => db.execute(sql`select 1`))
  readiness.addCheck('content', async () => {
    const {
      rows: [loaded],
    } = await db.execute(sql`select from content_state`)
    if (!loaded) throw new Error('No content is loaded yet.')
  })
  readiness.addCheck('storage', () => fileStore.check(), { warning: 'Profile photos can’t be stored or shown.' })
}

/**
 * The program: runs until it is told to stop, also in the middle of its start, then stops in order and exits. A mistake of
 * the operator's is said in a sentence, anything else with its stack; both end with status 1.
 */
export async function runProduct(
  program: Program,
  development?: Development & { close?(): Promise<void> },
): Promise<void> {
  const stops: Stop[] = development?.close ? [development.close] : []
  let listening: Listening | undefined
  const stop = watchForStop(async (ended) => listening && drain(listening, ended))
  const stopped = once(stop, 'abort')
  stopped.then(() => {
    readiness.enter('stopping')
    limitStop(stops)
  })
  let status = 0
  if (!development) captureConsole()
  warnOfOldRuntime()
  for (const warning of settingWarnings) log.warn(warning)
  try {
    listening = await startProduct(program, development, stops, stop)
    outliveErrors()
    readiness.enter('serving')
    process.stdout.write(welcome())
    await stopped
  } catch (error) {
    if (!stop.aborted) {
      status = 1
      process.stderr.write(error instanceof StartError ? `${error.message}\n` : `${(error as Error).stack}\n`)
    }
  }
  await stopAll(stops)
  process.exit(status)
}

/** On Node 20 the same pages cost twice as much. */
function warnOfOldRuntime(): void {
  if (Number.parseInt(process.versions.node, 10) >= 24) return
  const reason = 'running on an older Node.js: npm start takes the one that the packages bring along where it can run'
  log.warn({ node: process.versions.node }, reason)
}

function welcome(): string {
  const lines = [`Learnify is running at ${env.PUBLIC_URL}`, `  data   ${env.DATA_DIR}`, `  mail   ${mailPlace()}`]
  return `\n${lines.join('\n')}\n  stop   Ctrl-C\n\n`
}

/** On a loopback address only this machine is answered, by both of its names; otherwise every interface, or `HOST`. */
async function listen(listener: RequestListener): Promise<Listening> {
  const hosts = env.HOST ? [env.HOST] : isLoopback ? ['127.0.0.1', '::1'] : ['::']
  const listening = await listenOn({ hosts, port: env.PORT }, listener)
  log.info({ address: env.PUBLIC_URL }, 'ready')
  return listening
}

/**
 * A proxy notices that this process is not ready while its requests are still answered, and asks another one from then on.
 * What ends a start or a drain early ends without a drain.
 */
async function drain(listening: Listening, ended: AbortSignal): Promise<void> {
  readiness.enter('stopping')
  listening.endConnections()
  await delay(env.DRAIN_SECONDS * 1000, undefined, { signal: ended }).catch(() => {})
}
