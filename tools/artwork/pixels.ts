/**
 * Pictures as bytes: a drawing becomes pixels, is laid on the ground, and the cover shows through
 * at the opening.
 */
import sharp from 'sharp'

export const width = 1280
export const height = 720
/** How far the cover is pushed to the right on the opening scene, to leave room for the title. */
const coverShift = 240

/** @param density 144 draws a picture of 640 x 360 in full detail. @returns RGBA. */
export function pixelsOf(svg: string, density = 72) {
  return sharp(Buffer.from(svg), { density }).resize(width, height).ensureAlpha().raw().toBuffer()
}

/** RGBA without its alpha. */
export function opaque(rgba: Buffer): Buffer {
  const out = Buffer.allocUnsafe((rgba.length / 4) * 3)
  for (let i = 0, o = 0; i < rgba.length; i += 4, o += 3) {
    rgba.copy(out, o, i, i + 3)
  }

  return out
}

/**
 * Lays `over` (RGBA) on `ground` (RGB). Most of a drawing is empty, so only what is there costs
 * time.
 */
export function compose(ground: Buffer, over: Buffer): Buffer {
  const out = Buffer.from(ground)
  const pixels = new Uint32Array(over.buffer, over.byteOffset, over.length / 4)
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] === 0) {
      continue
    }

    const [i, o] = [at * 4, at * 3]
    const alpha = over.readUInt8(i + 3)
    for (let k = 0; k < 3; k++) {
      const [below, above] = [ground.readUInt8(o + k), over.readUInt8(i + k)]
      out[o + k] = below + Math.round(((above - below) * alpha) / 255)
    }
  }

  return out
}

/**
 * The ground with the cover showing through at the right; `share` 0 is the ground alone. All RGBA.
 */
export function revealCover(ground: Buffer, cover: Buffer, share: number): Buffer {
  const out = Buffer.from(ground)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4
      const across = Math.max(0, Math.min(1, (x - 600) / 600))
      const from = (y * width + Math.max(0, x - coverShift)) * 4
      const amount = share * across * across * (3 - 2 * across) * 0.85
      for (let k = 0; k < 3; k++) {
        const below = ground.readUInt8(i + k)
        out[i + k] = Math.round(below + (cover.readUInt8(from + k) - below) * amount)
      }
    }
  }

  return out
}
