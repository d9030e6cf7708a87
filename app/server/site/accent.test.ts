import { readFileSync } from 'node:fs'
import { wcagContrast } from 'culori'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accentContrast,
  accentStyle,
  backgrounds,
  leastContrast,
  nearestPassing,
  passes,
  shippedAccent,
} from './accent'

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)
const schemes = ['light', 'dark'] as const

describe('an accent color', () => {
  it.each(schemes)(
    'has a nearest one that can be read in the %s theme, whatever it is',
    (scheme) => {
      fc.assert(
        fc.property(color, (given) => {
          const nearest = nearestPassing(given, scheme)
          expect(passes(nearest, scheme)).toBe(true)
          if (passes(given, scheme)) {
            expect(nearest).toBe(given)
          }
        }),
      )
    },
  )

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
  ] as const)('%s has a contrast of %s %d', (given, scheme, contrast) => {
    expect(accentContrast(given, scheme)).toBeCloseTo(contrast, 1)
  })

  it('is no worse where it is stronger, and on its soft background', () => {
    fc.assert(
      fc.property(color, (given) => {
        const style = accentStyle({
          light: nearestPassing(given, 'light'),
          dark: nearestPassing(given, 'dark'),
        })
        const pair = (name: string) =>
          new RegExp(`--color-${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(style)?.slice(1) ??
          []
        const [accent, strong, soft, on] = [
          'accent',
          'accent-strong',
          'accent-soft',
          'on-accent',
        ].map(pair)

        for (const place of [0, 1]) {
          const contrast = (a?: string[], b?: string[]) =>
            wcagContrast(a?.[place] ?? '', b?.[place] ?? '')
          expect(contrast(accent, soft)).toBeGreaterThanOrEqual(leastContrast)
          expect(contrast(strong, soft)).toBeGreaterThanOrEqual(leastContrast - 0.01)
          expect(contrast(strong, on)).toBeGreaterThanOrEqual(leastContrast - 0.01)
        }
      }),
    )
  })

  it('of Learnify passes itself', () => {
    for (const scheme of schemes) {
      expect(passes(shippedAccent[scheme], scheme)).toBe(true)
    }
  })
})
