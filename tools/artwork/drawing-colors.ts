/** The colors that a storyboard can name, and the color of letters on any color. */
import { ink, type Palette } from './palette.ts'
import { mix } from './svg.ts'

export const white = '#ffffff'
/** Text with this contrast can be read, by WCAG 2, level AA. */
const minContrast = 4.5

export type ColorName =
  | 'white'
  | 'ink'
  | 'base'
  | 'light'
  | 'hue'
  | 'mid'
  | 'spark'
  | 'panel'
  | 'dim'
  | 'faint'
  | 'good'
  | 'bad'
export type DrawingColors = Record<ColorName, string>

/**
 * Returns the colors that a storyboard can name. The palette of the course decides most of them.
 */
export function createDrawingColors({ deep, mid, hue, light, spark }: Palette): DrawingColors {
  const base = mix(deep, ink, 0.45)

  return {
    white,
    ink,
    base,
    light,
    hue,
    mid,
    spark,
    panel: mix(base, mid, 0.28),
    dim: mix(base, light, 0.74),
    faint: mix(base, light, 0.3),
    good: '#7fe3ae',
    bad: '#ff9d96',
  }
}

/** Returns white, ink or black: the first color that can be read on the background. */
export function pickTextColor(background: string): string {
  const readableColor = [white, ink].find((color) => contrast(color, background) >= minContrast)
  return readableColor ?? '#000000'
}

/** Returns the contrast of two colors, as WCAG defines it. */
export function contrast(a: string, b: string): number {
  const luminances = [luminance(a), luminance(b)]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

/** Returns the relative luminance of a `#rrggbb` color, as WCAG defines it. */
function luminance(color: string): number {
  const linearize = (start: number) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linearize(1) + 0.7152 * linearize(3) + 0.0722 * linearize(5)
}
