import { converter, formatHex, interpolate, toGamut, wcagContrast } from 'culori'

/** The minimum for text in WCAG 2.2, criterion 1.4.3. */
export const leastContrast = 4.5

/**
 * The backgrounds of accent-colored text in `theme.css`. The dark ones include the panels that are
 * always dark.
 */
export const backgrounds = {
  light: ['#fbfaf7', '#ffffff', '#f3f1eb'],
  dark: ['#0d0f1a', '#151828', '#0a0c15', '#131230', '#1b1a3d'],
} as const
/** The text of an accent-colored button. */
const onAccent = { light: '#ffffff', dark: '#14122b' } as const
/** The share of the accent in its soft background. */
const soft = { light: 0.1, dark: 0.2 } as const
/** The difference in OKLCH lightness between the accent and the stronger accent. */
const stronger = { light: -0.08, dark: 0.07 } as const

export type Scheme = keyof typeof backgrounds
/** A color for each theme, like '#5140e0'. */
export type Accent = Readonly<Record<Scheme, string>>

export const shippedAccent: Accent = { light: '#5140e0', dark: '#a79dff' }

const toOklch = converter('oklch')
const intoGamut = toGamut('rgb', 'oklch')

function withLightness(color: string, change: (lightness: number) => number): string {
  const oklch = toOklch(color) ?? { mode: 'oklch' as const, l: 0, c: 0 }
  return formatHex(intoGamut({ ...oklch, l: Math.min(1, Math.max(0, change(oklch.l))) }))
}

const softOf = (color: string, scheme: Scheme) =>
  formatHex(interpolate([backgrounds[scheme][1], color], 'oklab')(soft[scheme]))

/** The lowest contrast of accent-colored text, and of text on the accent, like 5.3. */
export function accentContrast(color: string, scheme: Scheme): number {
  const others = [...backgrounds[scheme], softOf(color, scheme), onAccent[scheme]]
  return Math.min(...others.map((other) => wcagContrast(color, other)))
}

export const passes = (color: string, scheme: Scheme) =>
  accentContrast(color, scheme) >= leastContrast

/**
 * @returns the color itself if it is readable in this theme, otherwise the nearest readable color
 * of its hue.
 */
export function nearestPassing(color: string, scheme: Scheme): string {
  const step = scheme === 'light' ? -0.005 : 0.005
  for (let change = 0; Math.abs(change) <= 1; change += step) {
    const candidate = change === 0 ? color : withLightness(color, (lightness) => lightness + change)
    if (passes(candidate, scheme)) {
      return candidate
    }
  }

  return shippedAccent[scheme]
}

const toHsl = converter('hsl')

/** Home's globe has Learnify's color. A filter rotates its hue. */
function globeFilter(color: string): string {
  const { h: hue, s: saturation = 0 } = toHsl(color) ?? {}
  if (hue === undefined || saturation < 0.1) {
    return 'grayscale(1)'
  }

  return `hue-rotate(${Math.round(hue - (toHsl(shippedAccent.light)?.h ?? 0))}deg)`
}

/** The style sheet with this accent. Panels that are always dark use the dark values. */
export function accentStyle(accent: Accent): string {
  const strong = (scheme: Scheme) =>
    withLightness(accent[scheme], (lightness) => lightness + stronger[scheme])
  const both = (light: string, dark: string) => `light-dark(${light},${dark})`

  return [
    `:root{--color-accent:${both(accent.light, accent.dark)}`,
    `--color-accent-strong:${both(strong('light'), strong('dark'))}`,
    `--color-accent-soft:${both(softOf(accent.light, 'light'), softOf(accent.dark, 'dark'))}`,
    `--color-on-accent:${both(onAccent.light, onAccent.dark)}}`,
    `.night{--color-accent:${accent.dark};--color-accent-strong:${strong('dark')};--color-on-accent:${onAccent.dark}}`,
    `[data-globe]{--color-accent:${both(shippedAccent.light, shippedAccent.dark)};--color-accent-soft:${both(softOf(shippedAccent.light, 'light'), softOf(shippedAccent.dark, 'dark'))};filter:${globeFilter(accent.light)}}`,
  ]
    .join(';')
    .replaceAll('};', '}')
}
