import type { RequestListener } from 'node:http'
import { log } from './log.server'
import { ownChangeOf } from './own-change.server'
import { pageCache } from './page-cache.server'
import { productWatch } from './product-watch.server'

/**
 * Sends a kept page as it lies in the store, which is most of what a busy server does. Only a question with exactly
 * the address of a page is answered here; everything else goes the whole way, and arrives at the same page.
 *
 * @param path of a request on the product's own origin.
 * @param requestId of `chooseRequestId`.
 * @returns false for what was not answered.
 */
export function sendKeptPage(
  ...[request, response, path, requestId]: [...Parameters<RequestListener>, path: string, requestId: string]
): boolean {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  if (!productWatch.noteRequest() || ownChangeOf(headers.cookie) > (productWatch.known ?? 0)) return false
  const page = pageCache.find(path)
  if (!page || pageCache.isDue(path)) return false
  const answer = page.findAnswer(headers)
  if (!answer) return false
  answer.counted.kept += 1
  response.writeHead(answer.status, [...answer.headers, 'X-Request-Id', requestId])
  response.end(method === 'HEAD' ? undefined : answer.body)
  log.info({ requestId, method, path: page.loggedPath, status: answer.status, ms: 0 }, 'request')
  return true
}
