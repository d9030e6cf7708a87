import { AsyncLocalStorage } from 'node:async_hooks'

/** Who sent a request, and how it reached the product. */
type RequestSource = {
  /** The IP address of the client, as `chooseClientIpAddress` returns it. */
  ipAddress: string
  /** Whether the request came from this machine without a proxy or tunnel. */
  isDirect: boolean
  /** Whether a script of a page sent the request, to get the data of a page or other JSON. */
  isForData?: boolean
}

const requestSources = new AsyncLocalStorage<RequestSource>()

/** Runs the handler of one request. During the handler, the functions below use its source. */
export function withRequestSource<T>(source: RequestSource, handle: () => T): T {
  return requestSources.run(source, handle)
}

/**
 * Returns the IP address of the current request's client. It is the address of the socket, or the
 * one that a proxy of TRUST_PROXY reports.
 */
export function getClientIpAddress(): string {
  return requestSources.getStore()?.ipAddress ?? 'unknown'
}

/**
 * Returns whether the current request comes from this machine without a proxy. Only such requests
 * may read `/mail` and use the sample sign-in provider.
 */
export function isDirectRequest(): boolean {
  return requestSources.getStore()?.isDirect ?? false
}

/**
 * Returns whether a script of a page sent the current request, so that the script displays the
 * response. Otherwise the browser opens the response as a page.
 */
export function isDataRequest(): boolean {
  return requestSources.getStore()?.isForData ?? false
}
