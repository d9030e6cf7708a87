/**
 * libvips, which takes 25 MB: it is loaded for the first picture. It works in one thread beside the pages, and keeps
 * nothing of what it has read.
 */
export async function loadSharp(): Promise<typeof import('sharp')['default']> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
