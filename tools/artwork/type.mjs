/** Text as outlines of the product's own typeface, so that a picture looks the same whatever fonts a machine has. */
import { createRequire } from 'node:module'
import { openSync } from 'fontkit'
import { element, n } from './svg.mjs'

const resolve = createRequire(import.meta.url).resolve
const fonts = new Map()
const outlines = new Map()
const laidOut = new Map()

/** Figtree has no arrows or signs of mathematics, so a text may not use what it lacks. */
function fontOf(weight) {
  const cut = weight >= 650 ? '700Bold' : weight >= 550 ? '600SemiBold' : weight >= 450 ? '500Medium' : '400Regular'
  if (!fonts.has(cut)) fonts.set(cut, openSync(resolve(`@expo-google-fonts/figtree/${cut}/Figtree_${cut}.ttf`)))
  return fonts.get(cut)
}

/** @returns glyphs with their places in font units, kerned; kept, because a film draws the same words again and again. */
function layout(text, weight) {
  const key = `${weight}/${text}`
  const known = laidOut.get(key)
  if (known) return known
  const font = fontOf(weight)
  const missing = [...text].find((character) => !font.hasGlyphForCodePoint(character.codePointAt(0)))
  if (missing) throw new Error(`The typeface has no '${missing}', which stands in '${text}'.`)
  const { glyphs, positions, advanceWidth } = font.layout(text)
  let x = 0
  const places = glyphs.map((glyph, i) => {
    const place = { id: glyph.id, glyph, x }
    x += positions[i].xAdvance
    return place
  })
  const result = { places, advanceWidth, unitsPerEm: font.unitsPerEm }
  laidOut.set(key, result)
  return result
}

/** Width of a text in pixels. */
export function textWidth(text, size, weight = 600) {
  const { advanceWidth, unitsPerEm } = layout(text, weight)
  return (advanceWidth * size) / unitsPerEm
}

function outline(glyph, weight) {
  const key = `${weight}/${glyph.id}`
  if (!outlines.has(key)) outlines.set(key, glyph.path.toSVG())
  return outlines.get(key)
}

/**
 * One line of text on its base line.
 *
 * @param {{ weight?: number, fill?: string, anchor?: string | null, opacity?: number | null }} [style] `anchor` says which
 *   end of the text is at `x`.
 */
export function outlinedText(x, y, size, text, style = {}) {
  const { weight = 400, fill = '#ffffff', anchor = null, opacity = null } = style
  const { places, unitsPerEm } = layout(text, weight)
  const scale = size / unitsPerEm
  const shift = { middle: 0.5, end: 1 }[anchor ?? ''] ?? 0
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
