/**
 * Loads sharp when the first picture needs it, because libvips takes 25 MB of memory. It uses one
 * thread and no cache.
 */
export async function loadSharp(): Promise<typeof import('sharp')['default']> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)

  return sharp
}
