import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import {
  createRequestHandler,
  type ServerBuild,
  UNSAFE_withComponentProps as withComponentProps,
} from 'react-router'
import { vi } from 'vitest'
import { createTestDatabase } from './test-database'

export type ProductServer = Awaited<ReturnType<typeof startProductServer>>

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: string }
type RawRequest = { method?: string; headers?: Record<string, string> | string[]; body?: string }

type Options = {
  /** Route modules in addition to the product's own, by path. */
  routes?: Record<string, object>
  /** The duration from which the log calls a request slow. */
  slowRequestMs?: number
}

/**
 * Starts the product in this process, on a port of its own: the HTTP server, the routes, the
 * account service, a database and a data folder. Only the browser code is missing.
 *
 * @param settings environment variables. The product's modules are loaded again to read them.
 */
export async function startProductServer(
  settings: Record<string, string>,
  { routes = {}, slowRequestMs }: Options = {},
) {
  const { db, url } = await createTestDatabase()
  // A process may start several servers. None of them may read another server's files.
  const dataFolder = path.join(process.env.DATA_DIR ?? tmpdir(), randomUUID())
  const variables = { DATABASE_URL: url, DATA_DIR: dataFolder, ...settings }
  for (const [name, value] of Object.entries(variables)) {
    vi.stubEnv(name, value)
  }

  vi.resetModules()
  const { env } = await import('~/server/env.server')
  const { openDatabase } = await import('~/server/database/open-database.server')
  const { accounts, closeAccounts } = await loadAccounts(openDatabase)
  const { createHttpApp } = await import('../../app/http-app.server')
  const { publicPages } = await import('~/public-pages')
  const { enforcePublicOrigin } = await import('~/server/http/public-origin.server')
  const { openSampleIdentityProvider } = await import(
    '~/features/accounts/social/sample-identity-provider.server'
  )

  const handleRoute = createRequestHandler(await createServerBuild(routes), 'production')
  const headers = { 'Learnify-Build': 'test' }
  const app = createHttpApp({
    handleRoute: (request) => handleRoute(request),
    accounts,
    publicPages,
    commonHeaders: headers,
    slowRequestMs,
  })
  const handleAppRequest = getRequestListener(app.fetch)
  const sampleProvider = openSampleIdentityProvider()

  // The port is known only after `listen`, and the handler needs the port.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const originSettings = {
    publicUrl: env.PUBLIC_URL,
    port,
    trustedProxies: env.TRUST_PROXY,
    headers,
  }
  const handleRequest = enforcePublicOrigin(originSettings, (request, response) =>
    sampleProvider?.handles(request)
      ? sampleProvider.handle(request, response)
      : handleAppRequest(request, response),
  )
  server.on('request', handleRequest)

  return {
    db,
    port,
    request: (target: string, options?: RawRequest) => sendRawRequest(port, target, options),
    async stop() {
      server.closeAllConnections()
      server.close()
      await closeAccounts()
      vi.unstubAllEnvs()
      // The next test file of this process loads modules that have not read this server's settings.
      vi.resetModules()
    },
  }
}

/** Opens the account service as the product's start does, but without a mail sender. */
async function loadAccounts(openDatabase: () => Promise<() => Promise<void>>) {
  const closeDatabase = await openDatabase()
  const service = await import('~/features/accounts/account-service.server')
  const { handleAccountRequest } = await import('~/features/accounts/account-operations.server')
  const { findSessionToken } = await import('~/features/accounts/session/require-learner.server')
  const { openAccounts } = await import('~/features/accounts/open-accounts.server')
  const closeService = await openAccounts(async () => null)

  // Emails stay in the outbox, where tests read them.
  service.accountService.wakeEmailSender = () => {}

  const handle = (request: Request) => handleAccountRequest(service.accountService, request)
  const closeAccounts = async () => {
    await closeService()
    await closeDatabase()
  }

  return { accounts: { handle, findSessionToken }, closeAccounts }
}

type ServerRoute = Pick<RouteConfigEntry, 'path' | 'index' | 'caseSensitive'> & {
  id: string
  parentId?: string
  module: object
}

/** Returns what React Router's build returns for `app/routes.ts`, without browser assets. */
async function createServerBuild(
  extraRoutes: Readonly<Record<string, object>>,
): Promise<ServerBuild> {
  const { default: config }: { default: RouteConfigEntry[] } = await import('~/routes')
  const allRoutes: ServerRoute[] = [
    { id: 'root', path: '', module: await importRouteModule('root.tsx') },
    ...(await listRoutes(config, 'root')),
    ...Object.entries(extraRoutes).map(([path, module]) => ({
      id: path,
      parentId: 'root',
      path,
      module: wrapDefaultExport(module),
    })),
  ]

  return {
    entry: { module: await import('~/entry.server') },
    routes: Object.fromEntries(allRoutes.map((route) => [route.id, route])),
    assets: {
      entry: { imports: [], module: '/entry.js' },
      routes: Object.fromEntries(allRoutes.map((route) => [route.id, createManifestEntry(route)])),
      url: '/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  } as unknown as ServerBuild
}

/** Lists the routes of a part of the configuration, with their child routes. */
async function listRoutes(
  entries: readonly RouteConfigEntry[],
  parentId: string,
): Promise<ServerRoute[]> {
  const nestedRoutes = entries.map(async (entry, index) => {
    const id = `${parentId}-${index}`
    const route = {
      id,
      parentId,
      path: entry.path,
      index: entry.index,
      caseSensitive: entry.caseSensitive,
      module: await importRouteModule(entry.file),
    }

    return [route, ...(await listRoutes(entry.children ?? [], id))]
  })

  return (await Promise.all(nestedRoutes)).flat()
}

async function importRouteModule(file: string): Promise<object> {
  return wrapDefaultExport(await import(/* @vite-ignore */ path.resolve('app', file)))
}

/** Passes the route's props to the component of a route module, as React Router's compiler does. */
function wrapDefaultExport(module: { default?: Parameters<typeof withComponentProps>[0] }): object {
  return module.default ? { ...module, default: withComponentProps(module.default) } : module
}

function createManifestEntry({ module, ...route }: ServerRoute) {
  return {
    ...route,
    hasLoader: 'loader' in module,
    hasAction: 'action' in module,
    hasErrorBoundary: 'ErrorBoundary' in module,
    module: `/${route.id}.js`,
    imports: [],
  }
}

/**
 * Sends a request on a connection of its own, without a client that normalizes the target or the
 * Host header.
 */
function sendRawRequest(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = sendRequest({
      host: '127.0.0.1',
      port,
      path: target,
      method,
      headers,
      agent: false,
    })
    request.once('error', reject)
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
    request.end(body)
  })
}
