/** Names of the browser's own machine. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname)
}

/** Every name of this machine, with the port of an address on it. */
export function loopbackOrigins(publicUrl: string): string[] {
  const { protocol, port } = new URL(publicUrl)
  return loopbackNames.map((name) => `${protocol}//${name}${port && `:${port}`}`)
}
