import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
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

type FrontOptions = {
  /** Routes beside the product's own, by their paths. */
  routes?: Record<string, object>
  /** The time that makes a request slow in the log. */
  slowRequestMs?: number
}

/**
 * The whole product but its browser code, in this process on a port of its own: the real front,
 * routes, account service and database.
 *
 * @param settings environment variables; set before the product's modules are loaded anew.
 */
export async function startProductServer(
  settings: Record<string, string>,
  { routes = {}, slowRequestMs }: FrontOptions = {},
) {
  const { db, url } = await createTestDatabase()
  for (const [name, value] of Object.entries({ DATABASE_URL: url, ...settings })) {
    vi.stubEnv(name, value)
  }

  vi.resetModules()
  const { env } = await import('~/server/env.server')
  const { openDatabase } = await import('~/server/database/client.server')
  const { accounts, closeAccounts } = await loadAccounts(openDatabase)
  const { createHttpApp } = await import('../../app/http-app.server')
  const { publicPages } = await import('~/public-pages')
  const { onPublicOrigin } = await import('~/server/http/public-origin.server')
  const { openSampleProvider } = await import(
    '~/features/accounts/social/sample-identity-provider.server'
  )
  const pages = createRequestHandler(await serverBuild(routes), 'production')
  const headers = { 'Learnify-Build': 'test' }
  const app = createHttpApp({
    pages: (request) => pages(request),
    accounts,
    publicPages,
    headers,
    slowRequestMs,
  })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const front = { publicUrl: env.PUBLIC_URL, port, trustedProxies: env.TRUST_PROXY, headers }
  const answer = getRequestListener(app.fetch)
  const sample = openSampleProvider()
  const listener = onPublicOrigin(front, (request, response) =>
    sample?.handles(request) ? sample.handle(request, response) : answer(request, response),
  )
  server.on('request', listener)

  return {
    db,
    port,
    request: (target: string, options?: RawRequest) => ask(port, target, options),
    async stop() {
      server.closeAllConnections()
      server.close()
      await closeAccounts()
      vi.unstubAllEnvs()
    },
  }
}

async function loadAccounts(openDatabase: () => Promise<() => Promise<void>>) {
  const closeDatabase = await openDatabase()
  const service = await import('~/features/accounts/account-service.server')
  const { handleAccountRequest } = await import('~/features/accounts/account-operations.server')
  const { findSessionToken } = await import('~/features/accounts/session/require-learner.server')
  const { openAccounts } = await import('~/features/accounts/open-accounts.server')
  const closeService = await openAccounts(async () => null)
  // Mail stays in the outbox, where tests look for it.
  service.accountService.wakeEmailSender = () => {}
  const handle = (request: Request) => handleAccountRequest(service.accountService, request)
  const closeAccounts = async () => {
    await closeService()
    await closeDatabase()
  }

  return { accounts: { handle, findSessionToken }, closeAccounts }
}

type Route = Pick<RouteConfigEntry, 'path' | 'index' | 'caseSensitive'> & {
  id: string
  parentId: string
  module: object
}

/** The routes of `app/routes.ts` as built, without browser assets. */
async function serverBuild(more: Record<string, object>): Promise<ServerBuild> {
  const withProps = (module: { default?: Parameters<typeof withComponentProps>[0] }) =>
    module.default ? { ...module, default: withComponentProps(module.default) } : module
  const app = async (file: string) =>
    withProps(await import(/* @vite-ignore */ path.resolve('app', file)))
  const { default: config }: { default: RouteConfigEntry[] } = await import('~/routes')
  const root = { id: 'root', path: '', module: await app('root.tsx') }
  const readRoutes = async (
    entries: readonly RouteConfigEntry[],
    parentId: string,
  ): Promise<Route[]> => {
    const nested = entries.map(
      async ({ file, path, index, caseSensitive, children = [] }, place) => {
        const id = `${parentId}-${place}`
        return [
          { id, parentId, path, index, caseSensitive, module: await app(file) },
          ...(await readRoutes(children, id)),
        ]
      },
    )

    return (await Promise.all(nested)).flat()
  }
  const children = (await readRoutes(config, 'root')).map((route) => [route.id, route] as const)
  const added = Object.entries(more).map(([path, module]): [string, Route] => [
    path,
    { id: path, parentId: 'root', path, module: withProps(module) },
  ])
  const routes = { root, ...Object.fromEntries([...children, ...added]) }
  const manifest = Object.values(routes).map(({ module, ...route }) => {
    const has = {
      hasLoader: 'loader' in module,
      hasAction: 'action' in module,
      hasErrorBoundary: 'ErrorBoundary' in module,
    }

    return [route.id, { ...route, ...has, module: `/${route.id}.js`, imports: [] }]
  })

  return {
    entry: { module: await import('~/entry.server') },
    routes,
    assets: {
      entry: { imports: [], module: '/entry.js' },
      routes: Object.fromEntries(manifest),
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

/**
 * A raw request on a connection of its own: no client normalizes the target or the Host, and none
 * waits that was closed.
 */
function ask(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path: target, method, headers, agent: false })
    request.once('error', reject)
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
    request.end(body)
  })
}
