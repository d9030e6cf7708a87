/**
 * Draws text as outlines of the product's own typeface, so that a picture looks the same whatever
 * fonts a machine has.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { element, round } from './svg.ts'

const { resolve } = createRequire(import.meta.url)

/** Code is not drawn as outlines, but in a monospace font of the machine. */
export const monospace = 'DejaVu Sans Mono, Liberation Mono, monospace'
/** The width of a monospace letter, relative to the size of the font. */
export const monospaceAdvance = 0.602

type Glyph = ReturnType<Font['layout']>['glyphs'][number]

export type TextStyle = {
  weight?: number
  fill?: string
  /** The end of the text that is at its position. */
  anchor?: 'start' | 'middle' | 'end' | null
  opacity?: number | null
}

/** Draws one line of text. `y` is the position of its baseline. */
export function outlinedText(
  x: number | string,
  y: number | string,
  size: number,
  text: string,
  style: TextStyle = {},
): string {
  const { weight = 400, fill = '#ffffff', anchor = null, opacity = null } = style
  const { positionedGlyphs, unitsPerEm } = layOut(text, weight)
  const scale = size / unitsPerEm
  const anchorShares = { start: 0, middle: 0.5, end: 1 }
  const start = Number(x) - anchorShares[anchor ?? 'start'] * textWidth(text, size, weight)

  const letters = positionedGlyphs.map(({ glyph, x: glyphX }) => {
    const outline = getOutline(glyph, weight)
    const transform = glyphX ? `translate(${round(glyphX)})` : null
    return outline ? element('path', { d: outline, transform }) : ''
  })

  return element(
    'g',
    {
      fill,
      'fill-opacity': opacity,
      // The y axis of a font points up.
      transform: `translate(${round(start)} ${round(Number(y))}) scale(${round(scale, 5)} ${round(-scale, 5)})`,
    },
    letters,
  )
}

/** Returns the width of a line of text in pixels. */
export function textWidth(text: string, size: number, weight = 600): number {
  const { advanceWidth, unitsPerEm } = layOut(text, weight)
  return (advanceWidth * size) / unitsPerEm
}

// A video draws the same texts again and again, so fonts, layouts and outlines are cached.
const fonts = new Map<string, Font>()
const layouts = new Map<string, Layout>()
const outlines = new Map<string, string>()

/** A line of text in the units of its font. */
type Layout = {
  positionedGlyphs: { glyph: Glyph; x: number }[]
  advanceWidth: number
  unitsPerEm: number
}

/**
 * @throws if the typeface has no glyph for a character. Figtree has no arrows or mathematical
 * signs.
 */
function layOut(text: string, weight: number): Layout {
  const key = `${weight}/${text}`
  const cachedLayout = layouts.get(key)
  if (cachedLayout) {
    return cachedLayout
  }

  const font = getFont(weight)
  const missingCharacter = [...text].find(
    (character) => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )
  if (missingCharacter) {
    throw new Error(`The typeface has no '${missingCharacter}', which stands in '${text}'.`)
  }

  const { glyphs, positions, advanceWidth } = font.layout(text)
  let x = 0
  const positionedGlyphs = glyphs.map((glyph, index) => {
    const positionedGlyph = { glyph, x }
    x += positions[index]?.xAdvance ?? 0
    return positionedGlyph
  })

  const layout = { positionedGlyphs, advanceWidth, unitsPerEm: font.unitsPerEm }
  layouts.set(key, layout)

  return layout
}

function getFont(weight: number): Font {
  const style = getFontStyle(weight)
  const cachedFont = fonts.get(style)
  if (cachedFont) {
    return cachedFont
  }

  const file = resolve(`@expo-google-fonts/figtree/${style}/Figtree_${style}.ttf`)
  const font = create(readFileSync(file))
  fonts.set(style, font)

  return font
}

/** Returns the name of the font style that is nearest to a weight. */
function getFontStyle(weight: number): string {
  if (weight >= 650) {
    return '700Bold'
  }

  if (weight >= 550) {
    return '600SemiBold'
  }

  return weight >= 450 ? '500Medium' : '400Regular'
}

/** Returns the outline of a glyph as path data. */
function getOutline(glyph: Glyph, weight: number): string {
  const key = `${weight}/${glyph.id}`
  const outline = outlines.get(key) ?? glyph.path.toSVG()
  outlines.set(key, outline)

  return outline
}
