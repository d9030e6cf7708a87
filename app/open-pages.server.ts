/**
 * Opens the pages of the product: loads their code, renders the first ones, and listens for
 * requests.
 */
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { PublicPages } from '~/server/cache/page-keys.server'
import { env, isLoopback } from '~/server/env.server'
import { storeBuildFiles } from '~/server/http/build-files.server'
import { isEventLoopBehind } from '~/server/http/event-loop.server'
import { type HttpServer, listen } from '~/server/http/http-server.server'
import { enforcePublicOrigin } from '~/server/http/public-origin.server'
import { createCommonHeaders } from '~/server/http/response-headers.server'
import { log } from '~/server/operations/log.server'
import { type AccountRoutes, createHttpApp, type MountedApp } from './http-app.server'

type ListenerParameters = Parameters<RequestListener>

/** What the features add to the handling of requests. */
export type HttpFeatures = {
  accounts: AccountRoutes
  /** The sample sign-in provider, which gets its requests before the app. Null if it is off. */
  sampleSignInProvider: {
    handles(request: ListenerParameters[0]): boolean
    handle(...parameters: ListenerParameters): void
  } | null
  /** The pages of the sample payment provider. Null if it is off. */
  samplePayments: MountedApp | null
  publicPages: PublicPages
  /** The name of the response header whose value names the build. */
  buildHeader: string
}

/**
 * Vite, which builds each page when it is requested in development, so that an edit is visible at
 * once.
 */
export type Vite = {
  middleware(...parameters: [...ListenerParameters, next: () => void]): void
  /** Loads the code of the pages. */
  loadBuild(): Promise<ServerBuild>
}

export type Pages = { app: Hono; headers: Record<string, string> }

/**
 * Loads the build, and renders the first pages. In development, Vite renders pages when requested.
 */
export async function openPages(features: HttpFeatures, vite: Vite | undefined): Promise<Pages> {
  // In development, React Router loads the build again for each request.
  const build = vite?.loadBuild ?? (await import('virtual:react-router/server-build'))
  const buildName = typeof build === 'function' ? 'development' : build.assets.version
  const headers = createCommonHeaders(features.buildHeader, buildName)
  const handleRequest = createRequestHandler(build, env.NODE_ENV)
  const app = createHttpApp({
    handleRoute: (request) => handleRequest(request),
    accounts: features.accounts,
    samplePayments: features.samplePayments,
    publicPages: vite ? null : features.publicPages,
    commonHeaders: headers,
    build: buildName,
  })

  if (!vite) {
    await storeBuildFiles()
    await warmUp(app)
  }

  return { app, headers }
}

const warmUpPaths = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const maxWarmUpRounds = 20
const warmUpDelayMs = 500

/**
 * Renders the most visited pages until the process can render them fast. Code is slow until it has
 * been compiled, so the first renderings keep the event loop busy, and some are refused.
 */
async function warmUp(app: Hono): Promise<void> {
  for (let round = 0; round < maxWarmUpRounds; round++) {
    const responses = await Promise.all(
      warmUpPaths.map((path) => app.request(env.PUBLIC_URL + path)),
    )
    if (responses.every(({ ok }) => ok) && !isEventLoopBehind()) {
      return
    }

    await delay(warmUpDelayMs)
  }

  log.warn('not warm yet: the first visitors may be refused')
}

/** Returns the listener of all requests. In development, Vite's middleware runs first. */
export function createListener(
  { sampleSignInProvider }: HttpFeatures,
  { app, headers }: Pages,
  vite: Vite | undefined,
): RequestListener {
  const handleRequest = getRequestListener(app.fetch)
  const originSettings = {
    publicUrl: env.PUBLIC_URL,
    port: env.PORT,
    trustedProxies: env.TRUST_PROXY,
    headers,
  }
  const listener = enforcePublicOrigin(originSettings, (request, response) => {
    if (sampleSignInProvider?.handles(request)) {
      sampleSignInProvider.handle(request, response)
    } else {
      handleRequest(request, response)
    }
  })

  if (!vite) {
    return listener
  }

  return (request, response) =>
    vite.middleware(request, response, () => listener(request, response))
}

/**
 * Listens on `HOST`. Without that setting, a product with a loopback URL listens only on the
 * loopback interface, for IPv4 and IPv6, and any other product listens on all interfaces.
 */
export async function startListening(listener: RequestListener): Promise<HttpServer> {
  const defaultHosts = isLoopback ? ['127.0.0.1', '::1'] : ['::']
  const hosts = env.HOST ? [env.HOST] : defaultHosts
  const server = await listen({ hosts, port: env.PORT }, listener)
  log.info({ address: env.PUBLIC_URL }, 'ready')

  return server
}
