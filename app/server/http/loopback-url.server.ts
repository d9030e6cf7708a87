/** The host names with which a browser reaches its own machine. */
export const loopbackHostNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a URL can be reached only from the machine that it is on. */
export function isLoopbackUrl(url: string): boolean {
  return loopbackHostNames.includes(new URL(url).hostname)
}

/** Returns the origin of a loopback URL with each host name of this machine. */
export function listLoopbackOrigins(publicUrl: string): string[] {
  const { protocol, port } = new URL(publicUrl)
  const portSuffix = port === '' ? '' : `:${port}`
  return loopbackHostNames.map((hostName) => `${protocol}//${hostName}${portSuffix}`)
}
