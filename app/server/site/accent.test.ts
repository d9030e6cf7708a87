import { readFileSync } from 'node:fs'
import { wcagContrast } from 'culori'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  backgrounds,
  findReadableAccent,
  getAccentContrast,
  isReadableAccent,
  minContrast,
  renderAccentStyle,
  shippedAccent,
} from './accent'

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)
const schemes = ['light', 'dark'] as const

describe('an accent color', () => {
  it.each(schemes)('always has a nearest readable color in the %s theme', (scheme) => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const readableColor = findReadableAccent(color, scheme)
        expect(isReadableAccent(readableColor, scheme)).toBe(true)
        if (isReadableAccent(color, scheme)) {
          expect(readableColor).toBe(color)
        }
      }),
    )
  })

  it('is checked against the backgrounds that the style sheet has', () => {
    const theme = readFileSync('app/ui/theme.css', 'utf8')
    const [light, dark] = ['canvas', 'surface', 'sunken'].reduce<[string[], string[]]>(
      ([light, dark], name) => {
        const [, day = '', night = ''] =
          new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(theme) ?? []
        return [
          [...light, day],
          [...dark, night],
        ]
      },
      [[], []],
    )
    const panel = [...theme.matchAll(/^ {2}--color-(?:canvas|surface): (#\w+);/gm)].map(
      ([, value]) => value,
    )

    expect(backgrounds.light).toEqual(light)
    expect(backgrounds.dark).toEqual([...dark, ...panel])
  })

  it.each([
    ['#5140e0', 'light', 5.7],
    ['#ff6600', 'light', 2.6],
    ['#ff6600', 'dark', 4.5],
  ] as const)('%s has a contrast of %s %d', (color, scheme, contrast) => {
    expect(getAccentContrast(color, scheme)).toBeCloseTo(contrast, 1)
  })

  it('is also readable in its strong variant and on its soft background', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const style = renderAccentStyle({
          light: findReadableAccent(color, 'light'),
          dark: findReadableAccent(color, 'dark'),
        })
        const readPair = (name: string) =>
          new RegExp(`--color-${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(style)?.slice(1) ??
          []
        const [accent, strong, soft, textColor] = [
          'accent',
          'accent-strong',
          'accent-soft',
          'on-accent',
        ].map(readPair)

        for (const index of [0, 1]) {
          const contrast = (colors?: string[], otherColors?: string[]) =>
            wcagContrast(colors?.[index] ?? '', otherColors?.[index] ?? '')
          expect(contrast(accent, soft)).toBeGreaterThanOrEqual(minContrast)
          expect(contrast(strong, soft)).toBeGreaterThanOrEqual(minContrast - 0.01)
          expect(contrast(strong, textColor)).toBeGreaterThanOrEqual(minContrast - 0.01)
        }
      }),
    )
  })

  it('of Learnify is readable', () => {
    for (const scheme of schemes) {
      expect(isReadableAccent(shippedAccent[scheme], scheme)).toBe(true)
    }
  })
})
