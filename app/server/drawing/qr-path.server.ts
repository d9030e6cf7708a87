import { encode } from 'uqr'

/**
 * Returns a QR code as the data of one SVG path, with one unit per module. The caller adds the
 * quiet zone of four modules.
 *
 * @returns the path, and its width and height in units
 */
export function createQrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { path: squares.join(''), size }
}
