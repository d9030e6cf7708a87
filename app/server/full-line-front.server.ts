import type { RequestListener } from 'node:http'
import { Hono } from 'hono'
import { log } from './log.server'
import { noteAnswer } from './metrics/answers.server'
import { addHeaders, forbidStoring, securityHeaders } from './response-headers.server'
import { busyAnswer, retryAfterSeconds } from './shedding.server'

/**
 * Refuses what would have to wait in a line that is full, before anything of it is read: in a storm of sign-ins that is
 * most of what comes. The answer is made once, and the same as of a request that is read.
 *
 * @param isFull whether a POST to this path has to wait in such a line; false for most paths.
 * @param headers of every answer.
 * @returns what answers a request as `sendKeptPage` does.
 */
export async function refuseWhileFull(isFull: (path: string) => boolean, headers: Record<string, string>) {
  const app = new Hono().use(addHeaders(headers), securityHeaders(), forbidStoring)
  app.all('*', (context) => busyAnswer(context))
  const made = await app.request('/account/', { method: 'POST' })
  const body = Buffer.from(await made.arrayBuffer())
  made.headers.delete('Retry-After')
  const lines = [...made.headers, ['Content-Length', String(body.length)]].flat()
  return (
    ...[request, response, path, requestId]: [...Parameters<RequestListener>, path: string, requestId: string]
  ): boolean => {
    if (request.method !== 'POST' || !isFull(path)) return false
    response.writeHead(made.status, [...lines, 'Retry-After', retryAfterSeconds(), 'X-Request-Id', requestId])
    response.end(body)
    noteAnswer(path, made.status, 0)
    log.info({ requestId, method: 'POST', path, status: made.status, ms: 0 }, 'request')
    return true
  }
}
