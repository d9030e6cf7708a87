import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { reportError } from '~/server/log.server'

/**
 * Renders a whole page at once: the Content-Security-Policy names the hash of every inline script, so that the page has
 * to be complete before its first byte leaves (see `http.server.ts`).
 */
export default async function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  const html = await new Promise<string>((resolve, reject) => {
    const page = renderToPipeableStream(<ServerRouter context={context} url={request.url} />, {
      onAllReady: () => resolve(text(page.pipe(new PassThrough()))),
      onShellError: reject,
      onError: (error) => reportError(error, { request }),
    })
  })
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(html, { status, headers })
}

/** A refusal that a route throws is an answer, not an error. */
export function handleError(error: unknown, { request }: { request: Request }) {
  const thrown = typeof error === 'object' && error !== null && 'data' in error
  if (!thrown && !request.signal.aborted) reportError(error, { request })
}
