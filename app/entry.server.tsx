import { PassThrough } from 'node:stream'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { randomId } from '~/server/database/random-id.server'
import { env } from '~/server/env.server'
import {
  createContentSecurityPolicy,
  developmentPolicy,
  extractNonceScripts,
} from '~/server/http/content-security-policy.server'
import { currentTrace } from '~/server/http/request-trace.server'
import { reportError } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import { ScriptNonce } from '~/ui/hooks'
import { RequestId } from '~/ui/not-found-page'
import { provideSiteName } from '~/ui/site-name'

provideSiteName(siteName)

/**
 * Renders a whole page before sending it, because the Content-Security-Policy header contains the
 * hash of every inline script that is marked here.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
) {
  const trace = currentTrace()
  const startedAt = performance.now()
  const nonce = randomId()
  const renderedPage = await renderPage(request, context, nonce)
  const { html, scripts } = extractNonceScripts(renderedPage, nonce)
  if (trace) {
    trace.renderMs += performance.now() - startedAt
  }

  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set(
    'Content-Security-Policy',
    env.NODE_ENV === 'development' ? developmentPolicy : createContentSecurityPolicy(scripts),
  )

  return new Response(lowerPreloadPriority(html), { status, headers })
}

function renderPage(
  request: Request,
  context: EntryContext,
  nonce: string,
): Promise<Buffer<ArrayBuffer>> {
  const page = (
    <ScriptNonce value={nonce}>
      <RequestId value={currentTrace()?.id}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </RequestId>
    </ScriptNonce>
  )

  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      nonce,
      onAllReady: () => resolve(collect(stream)),
      onShellError: reject,
      onError: (error) => reportError(error, { request }),
    })
  })
}

/**
 * Returns all bytes of a stream. `buffer` of `node:stream/consumers` would copy each chunk three
 * times.
 */
async function collect(stream: PipeableStream): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of stream.pipe(new PassThrough())) {
    chunks.push(chunk)
  }

  return Buffer.concat(chunks)
}

const modulePreload = '<link rel="modulepreload"'

/**
 * Makes the browser load the style sheet and the font before the preloaded scripts, because the
 * page is readable without its scripts. React Router's `<Scripts>` has no option for it.
 */
function lowerPreloadPriority(html: Buffer): Buffer<ArrayBuffer> {
  // In Latin-1 each byte is one character, so that all other bytes stay as they are.
  const page = html.toString('latin1')
  return Buffer.from(
    page.replaceAll(modulePreload, `${modulePreload} fetchpriority="low"`),
    'latin1',
  )
}

/**
 * Reports an error of a loader, an action or a rendering, unless the client has closed the
 * connection.
 */
export function handleError(error: unknown, { request }: { request: Request }) {
  if (!request.signal.aborted) {
    reportError(error, { request })
  }
}
