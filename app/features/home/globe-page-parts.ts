/**
 * A worker has no page, but the globe's library reaches for three of its parts: it hangs labels into elements (there are
 * none), names them in a style element (which the page's policy would refuse) and loads its map as an image.
 */
export function addMissingPageParts(): void {
  const element = () => ({ style: {}, append() {}, remove() {} })
  Object.assign(self, { document: { createElement: element, head: element() }, Image: MapImage })
}

/** An image for WebGL: a canvas that draws what its `src`, a base64 data address, holds. */
class MapImage extends OffscreenCanvas {
  onload: (() => void) | null = null

  constructor() {
    super(1, 1)
  }

  set src(address: string) {
    void this.#load(address)
  }

  async #load(address: string) {
    const [, base64 = ''] = address.split(',')
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    this.width = bitmap.width
    this.height = bitmap.height
    this.getContext('2d')?.drawImage(bitmap, 0, 0)
    this.onload?.()
  }
}
