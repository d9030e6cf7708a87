const known = new WeakMap<Response, Buffer>()

/** An answer whose body is beside it: one of its own would be a copy and a stream, which cost more than to compress a small page. */
export function withBytes(response: Response, bytes: Buffer): Response {
  known.set(response, bytes)
  return response
}

export function hasBytes(response: Response): boolean {
  return known.has(response) || response.body !== null
}

/** The whole body of an answer that nobody has read. */
export async function bytesOf(response: Response): Promise<Buffer> {
  return known.get(response) ?? Buffer.from(await response.arrayBuffer())
}
