/** The host names with which a browser reaches its own machine. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a URL can be reached only from the machine that it is on. */
export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname)
}

/** Returns the origin of a loopback URL with each host name of this machine. */
export function loopbackOrigins(publicUrl: string): string[] {
  const { protocol, port } = new URL(publicUrl)
  return loopbackNames.map((name) => `${protocol}//${name}${port && `:${port}`}`)
}
