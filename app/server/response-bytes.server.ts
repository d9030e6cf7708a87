const known = new WeakMap<Response, Buffer>()

/** Remembers the bytes of an answer: its own body is a stream, which takes longer to read than a small page to compress. */
export function withBytes(response: Response, bytes: Buffer): Response {
  known.set(response, bytes)
  return response
}

/** The whole body of an answer that nobody has read. */
export async function bytesOf(response: Response): Promise<Buffer> {
  return known.get(response) ?? Buffer.from(await response.arrayBuffer())
}
