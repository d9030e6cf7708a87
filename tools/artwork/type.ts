/**
 * Text as outlines of the product's own typeface, so that a picture looks the same whatever fonts a
 * machine has.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { element, n } from './svg.ts'

const resolve = createRequire(import.meta.url).resolve

type Glyph = ReturnType<Font['layout']>['glyphs'][number]
type Layout = { places: { glyph: Glyph; x: number }[]; advanceWidth: number; unitsPerEm: number }

const fonts = new Map<string, Font>()
const outlines = new Map<string, string>()
const laidOut = new Map<string, Layout>()

/** Figtree has no arrows or signs of mathematics, so a text may not use what it lacks. */
function fontOf(weight: number): Font {
  const cut = cutOf(weight)
  const known = fonts.get(cut)
  if (known) {
    return known
  }

  const font = create(readFileSync(resolve(`@expo-google-fonts/figtree/${cut}/Figtree_${cut}.ttf`)))
  fonts.set(cut, font)

  return font
}

function cutOf(weight: number): string {
  if (weight >= 650) {
    return '700Bold'
  }

  if (weight >= 550) {
    return '600SemiBold'
  }

  return weight >= 450 ? '500Medium' : '400Regular'
}

/**
 * @returns glyphs with their places in font units, kerned; kept, because a film draws the same
 * words again and again.
 */
function layout(text: string, weight: number): Layout {
  const key = `${weight}/${text}`
  const known = laidOut.get(key)
  if (known) {
    return known
  }

  const font = fontOf(weight)
  const missing = [...text].find(
    (character) => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )
  if (missing) {
    throw new Error(`The typeface has no '${missing}', which stands in '${text}'.`)
  }

  const { glyphs, positions, advanceWidth } = font.layout(text)
  let x = 0
  const places = glyphs.map((glyph, i) => {
    const place = { glyph, x }
    x += positions[i]?.xAdvance ?? 0
    return place
  })
  const result = { places, advanceWidth, unitsPerEm: font.unitsPerEm }
  laidOut.set(key, result)

  return result
}

/** Width of a text in pixels. */
export function textWidth(text: string, size: number, weight = 600) {
  const { advanceWidth, unitsPerEm } = layout(text, weight)
  return (advanceWidth * size) / unitsPerEm
}

function outline(glyph: Glyph, weight: number): string {
  const key = `${weight}/${glyph.id}`
  const drawn = outlines.get(key) ?? glyph.path.toSVG()
  outlines.set(key, drawn)

  return drawn
}

export type TextStyle = {
  weight?: number
  fill?: string
  /** Which end of the text is at its place. */
  anchor?: 'start' | 'middle' | 'end' | null
  opacity?: number | null
}

/** One line of text on its base line. */
export function outlinedText(
  x: number | string,
  y: number | string,
  size: number,
  text: string,
  style: TextStyle = {},
): string {
  const { weight = 400, fill = '#ffffff', anchor = null, opacity = null } = style
  const { places, unitsPerEm } = layout(text, weight)
  const scale = size / unitsPerEm
  const shifts = { middle: 0.5, end: 1 }
  const shift = shifts[anchor as keyof typeof shifts] ?? 0
  const start = Number(x) - shift * textWidth(text, size, weight)
  const letters = places.map(({ glyph, x: at }) => {
    const d = outline(glyph, weight)
    return d ? element('path', { d, transform: at ? `translate(${n(at)})` : null }) : ''
  })

  return element(
    'g',
    {
      fill,
      'fill-opacity': opacity,
      transform: `translate(${n(start)} ${n(Number(y))}) scale(${n(scale, 5)} ${n(-scale, 5)})`,
    },
    letters,
  )
}
