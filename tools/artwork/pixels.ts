/**
 * Turns drawings into pixels and combines pictures. An RGBA picture has four bytes for each pixel
 * (red, green, blue and alpha), and an RGB picture has three.
 */
import sharp from 'sharp'

export const width = 1280
export const height = 720

/**
 * The cover is moved to the right by this width on the opening scene, to leave room for the title.
 */
const coverShift = 240
/** The cover appears gradually from this position on, over this width. */
const coverStart = 600
const coverFadeWidth = 600
const coverOpacity = 0.85

/**
 * Draws SVG at 1280 x 720. Returns an RGBA picture.
 *
 * @param density the resolution. A drawing of 640 x 360 has its full detail at 144.
 */
export function renderPixels(svg: string, density = 72): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density }).resize(width, height).ensureAlpha().raw().toBuffer()
}

/** Turns an RGBA picture into an RGB picture. */
export function removeAlpha(rgba: Buffer): Buffer {
  const rgb = Buffer.allocUnsafe((rgba.length / 4) * 3)
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgba.copy(rgb, to, from, from + 3)
  }

  return rgb
}

/** Lays an RGBA picture on an RGB background. Returns an RGB picture. */
export function compose(background: Buffer, foreground: Buffer): Buffer {
  const result = Buffer.from(background)
  const pixels = new Uint32Array(foreground.buffer, foreground.byteOffset, foreground.length / 4)

  for (let index = 0; index < pixels.length; index++) {
    // Most pixels of a drawing are empty. Leaving them out saves most of the time.
    if (pixels[index] === 0) {
      continue
    }

    const from = index * 4
    const to = index * 3
    const alpha = foreground.readUInt8(from + 3)
    for (let channel = 0; channel < 3; channel++) {
      const below = background.readUInt8(to + channel)
      const above = foreground.readUInt8(from + channel)
      result[to + channel] = below + Math.round(((above - below) * alpha) / 255)
    }
  }

  return result
}

/**
 * Lets the cover show through the background at the right. All pictures are RGBA.
 *
 * @param share 0 gives the background alone, and 1 the full effect
 */
export function revealCover(background: Buffer, cover: Buffer, share: number): Buffer {
  const result = Buffer.from(background)

  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 4
      const from = (y * width + Math.max(0, x - coverShift)) * 4
      const position = Math.max(0, Math.min(1, (x - coverStart) / coverFadeWidth))
      const opacity = share * position * position * (3 - 2 * position) * coverOpacity
      for (let channel = 0; channel < 3; channel++) {
        const below = background.readUInt8(to + channel)
        const above = cover.readUInt8(from + channel)
        result[to + channel] = Math.round(below + (above - below) * opacity)
      }
    }
  }

  return result
}
