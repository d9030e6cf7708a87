import { encode } from 'uqr'

/**
 * A QR code as the data of one SVG path, one unit a module, without its quiet zone of four modules.
 *
 * @returns the path and how many units it is wide and high.
 */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { path: squares.join(''), size }
}
