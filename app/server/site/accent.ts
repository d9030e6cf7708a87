/**
 * The accent color of a school, with a variant for the light and one for the dark theme.
 *
 * Text must be readable in the accent color, and on it. If a color is not readable, the nearest
 * readable color of the same hue is offered. The stronger and softer variants of the accent are
 * calculated.
 */
import { converter, formatHex, interpolate, toGamut, wcagContrast } from 'culori'

/** The minimum contrast of text in WCAG 2.2, criterion 1.4.3. */
export const minContrast = 4.5

/**
 * The backgrounds of accent-colored text in `theme.css`. The dark ones include the panels that are
 * always dark.
 */
export const backgrounds = {
  light: ['#fbfaf7', '#ffffff', '#f3f1eb'],
  dark: ['#0d0f1a', '#151828', '#0a0c15', '#131230', '#1b1a3d'],
} as const
/** The color of text on the accent. */
const textOnAccent = { light: '#ffffff', dark: '#14122b' } as const
/** The share of the accent in its soft background. */
const softShares = { light: 0.1, dark: 0.2 } as const
/** The difference in OKLCH lightness between the accent and the stronger accent. */
const strongLightnessChanges = { light: -0.08, dark: 0.07 } as const

export type Scheme = keyof typeof backgrounds
/** A color for each theme, such as '#5140e0'. */
export type Accent = Readonly<Record<Scheme, string>>

export const shippedAccent: Accent = { light: '#5140e0', dark: '#a79dff' }

/** The step in OKLCH lightness with which a readable color is searched. */
const lightnessStep = 0.005

/**
 * Returns the color itself if it is readable in a theme, or the nearest readable color of its hue.
 */
export function findReadableAccent(color: string, scheme: Scheme): string {
  const step = scheme === 'light' ? -lightnessStep : lightnessStep
  for (let change = 0; Math.abs(change) <= 1; change += step) {
    const candidate = change === 0 ? color : changeLightness(color, change)
    if (isReadableAccent(candidate, scheme)) {
      return candidate
    }
  }

  return shippedAccent[scheme]
}

export function isReadableAccent(color: string, scheme: Scheme): boolean {
  return getAccentContrast(color, scheme) >= minContrast
}

/** Returns the lowest contrast of accent-colored text and of text on the accent, such as 5.3. */
export function getAccentContrast(color: string, scheme: Scheme): number {
  const otherColors = [...backgrounds[scheme], getSoftAccent(color, scheme), textOnAccent[scheme]]
  return Math.min(...otherColors.map((otherColor) => wcagContrast(color, otherColor)))
}

/** Returns the style sheet with an accent. Panels that are always dark use the dark values. */
export function renderAccentStyle(accent: Accent): string {
  const strong: Accent = {
    light: changeLightness(accent.light, strongLightnessChanges.light),
    dark: changeLightness(accent.dark, strongLightnessChanges.dark),
  }
  const pageStyle = [
    `--color-accent:${renderLightDark(accent)}`,
    `--color-accent-strong:${renderLightDark(strong)}`,
    `--color-accent-soft:${renderLightDark(getSoftAccents(accent))}`,
    `--color-on-accent:${renderLightDark(textOnAccent)}`,
  ]
  const darkPanelStyle = [
    `--color-accent:${accent.dark}`,
    `--color-accent-strong:${strong.dark}`,
    `--color-on-accent:${textOnAccent.dark}`,
  ]
  const globeStyle = [
    `--color-accent:${renderLightDark(shippedAccent)}`,
    `--color-accent-soft:${renderLightDark(getSoftAccents(shippedAccent))}`,
    `filter:${renderGlobeFilter(accent.light)}`,
  ]

  return [
    `:root{${pageStyle.join(';')}}`,
    `.night{${darkPanelStyle.join(';')}}`,
    `[data-globe]{${globeStyle.join(';')}}`,
  ].join('')
}

function renderLightDark({ light, dark }: Accent): string {
  return `light-dark(${light},${dark})`
}

/** Returns a filter for the globe of the home page, which is drawn in Learnify's color. */
function renderGlobeFilter(color: string): string {
  const { h: hue, s: saturation = 0 } = toHsl(color) ?? {}
  if (hue === undefined || saturation < minColorSaturation) {
    return 'grayscale(1)'
  }

  return `hue-rotate(${Math.round(hue - (toHsl(shippedAccent.light)?.h ?? 0))}deg)`
}

/** A color below this saturation counts as gray. */
const minColorSaturation = 0.1

const toHsl = converter('hsl')
const toOklch = converter('oklch')
const toDisplayableColor = toGamut('rgb', 'oklch')

function changeLightness(color: string, change: number): string {
  const oklch = toOklch(color) ?? { mode: 'oklch' as const, l: 0, c: 0 }
  const lightness = Math.min(1, Math.max(0, oklch.l + change))
  return formatHex(toDisplayableColor({ ...oklch, l: lightness }))
}

function getSoftAccents({ light, dark }: Accent): Accent {
  return { light: getSoftAccent(light, 'light'), dark: getSoftAccent(dark, 'dark') }
}

function getSoftAccent(color: string, scheme: Scheme): string {
  const [, surface] = backgrounds[scheme]
  return formatHex(interpolate([surface, color], 'oklab')(softShares[scheme]))
}
