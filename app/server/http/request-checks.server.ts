/** The middleware that checks each request, and limits the size of its body. */
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { serverMessages } from './server-messages.server'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Refuses other methods. `OPTIONS` gets the list of methods, because a loader would treat it as
 * `GET`.
 */
export const refuseUnknownMethod: MiddlewareHandler = async (context, next) => {
  const { method } = context.req
  if (methods.includes(method)) {
    return next()
  }

  const headers = { Allow: methods.join(', ') }
  if (method === 'OPTIONS') {
    return context.body(null, 204, headers)
  }

  return context.text(serverMessages.unknownMethod, 405, headers)
}

/** Refuses URLs that can't be decoded, with status 400. */
export const refuseUnreadableUrl: MiddlewareHandler = async (context, next) => {
  if (isParsableUrl(context.req.url)) {
    return next()
  }

  return context.text(serverMessages.unreadableAddress, 400)
}

/** Returns whether a URL can be decoded, and has no NUL character, which PostgreSQL can't store. */
export function isParsableUrl(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
}

/** The methods of requests that change nothing. */
export const safeMethods = new Set(['GET', 'HEAD'])

/** Refuses changes from other origins. Browsers send `Origin` with every POST. */
export const refuseForeignOrigin: MiddlewareHandler = async (context, next) => {
  if (safeMethods.has(context.req.method) || isSentByServer(context)) {
    return next()
  }

  const isSameOrigin = context.req.header('origin') === new URL(context.req.url).origin
  return isSameOrigin ? next() : context.text(serverMessages.foreignOrigin, 403)
}

/**
 * The paths that other servers send requests to. Their routes check a signature instead of the
 * origin.
 */
const serverPaths = ['/StopReminders', '/payments/events']

/**
 * Returns whether a request is a one-click unsubscribe of an email program (RFC 8058) or an event
 * of the payment provider. These have no `Origin`. A request with an `Origin` is checked like any
 * other.
 */
function isSentByServer({ req }: Context): boolean {
  return (
    req.method === 'POST' && serverPaths.includes(req.path) && req.header('origin') === undefined
  )
}

type FindSessionToken = (request: Request) => Promise<string | null>

const kibibyte = 1024
const formLimitBytes = 64 * kibibyte
/**
 * Pictures may have 5 MB. The limit is higher, so that the form itself reports a picture that is
 * too large.
 */
const uploadLimitBytes = 12 * kibibyte * kibibyte

/**
 * @param findSessionToken returns the session token of a signed-in learner, and null for visitors
 */
export function limitBodies(findSessionToken: FindSessionToken): MiddlewareHandler {
  const limitForm = limitBody(formLimitBytes)
  const limitUpload = limitBody(uploadLimitBytes)

  return async (context, next) => {
    if (safeMethods.has(context.req.method)) {
      return next()
    }

    return (await isUpload(context, findSessionToken))
      ? limitUpload(context, next)
      : limitForm(context, next)
  }
}

/** The paths of forms with a photo, a picture or a table. */
const uploadPaths = /^\/(Profile|Desk\/(Site|People\/Import))(\/|\.data|$)/i

/**
 * Returns whether a request is a signed-in learner's form with a photo, or a form at the desk with
 * a picture or a table. `Content-Length` is required, because a body of unknown length would be
 * read into memory to measure it.
 */
async function isUpload({ req }: Context, findSessionToken: FindSessionToken): Promise<boolean> {
  const isMultipart = /^multipart\/form-data\b/i.test(req.header('content-type') ?? '')
  if (
    !isMultipart ||
    !uploadPaths.test(req.path) ||
    req.header('transfer-encoding') !== undefined
  ) {
    return false
  }

  return (await findSessionToken(req.raw)) !== null
}

function limitBody(maxSize: number) {
  return bodyLimit({ maxSize, onError: (context) => context.text(serverMessages.tooLarge, 413) })
}
