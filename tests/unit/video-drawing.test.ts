import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawCover } from '../../tools/artwork/covers.ts'
import { drawDrawing } from '../../tools/artwork/drawing.ts'
import { contrast, createDrawingColors, pickTextColor } from '../../tools/artwork/drawing-colors.ts'
import { coursePalette } from '../../tools/artwork/palette.ts'
import { height, renderPixels, revealCover, width } from '../../tools/artwork/pixels.ts'
import { drawGround } from '../../tools/artwork/scene.ts'
import {
  type DrawnPart,
  storyboardFile,
  storyboardJsonSchema,
} from '../../tools/artwork/storyboard.ts'
import {
  computePartState,
  createClock,
  expandParts,
  listCues,
} from '../../tools/artwork/timeline.ts'

const colors = coursePalette('python-from-zero', 'technology')
const scene = {
  seconds: 10,
  caption: ['Four words are here.', 'And twice as many letters stand in this one.'],
}
const sentence = fc.string({ minLength: 1, maxLength: 90 })

test('captions fill their scene without gaps, and each is read at the same speed', () => {
  fc.assert(
    fc.property(
      fc.array(sentence, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 2, max: 60 }),
      (caption, seconds) => {
        const cues = listCues({ seconds, caption })
        const speed = caption.join('').length / seconds
        cues.forEach(({ text, start, end }, i) => {
          expect(start).toBe(cues[i - 1]?.end ?? 0)
          expect(text.length / (end - start)).toBeCloseTo(speed)
        })
        expect(cues.at(-1)?.end).toBeCloseTo(seconds)
      },
    ),
  )
})

test('times count in captions: 1 starts the first, 2 the second, 3 is the end', () => {
  const clock = createClock(scene)
  const [first] = listCues(scene)

  expect(clock(1)).toBe(0)
  expect(clock(1.5)).toBeCloseTo((first?.end ?? 0) / 2)
  expect(clock(2)).toBe(first?.end)
  expect(clock(3)).toBeCloseTo(10)
})

test('a part with lists stands for one part for each of their places', () => {
  expect(
    expandParts([{ words: 'a', size: 30, each: { words: ['x', 'y'], show: [1, 2] } }]),
  ).toEqual([
    { words: 'x', size: 30, show: 1 },
    { words: 'y', size: 30, show: 2 },
  ])
})

test('a part moves to where its last change puts it and stays there', () => {
  const part: DrawnPart = {
    ring: [0, 0, 10],
    show: 0,
    changes: [{ when: 1.2, over: 1, ring: [100, 50, 10] }],
  }
  const at = (seconds: number) => computePartState(part, seconds, createClock(scene), String)

  expect(at(0).ring).toEqual([0, 0, 10])
  expect(at(9).ring).toEqual([100, 50, 10])
})

test('a time at which nothing moves gives the same picture as the time before', () => {
  const drawing: DrawnPart[] = [{ box: [640, 300, 200, 100], text: 'Still', fill: 'hue', show: 1 }]
  const draw = (seconds: number) => drawDrawing({ ...scene, drawing }, colors, seconds)

  expect(draw(5)).toBe(draw(8))
  expect(draw(0.2)).not.toBe(draw(5))
})

test('the opening shows the cover down to its last corner, and none of it behind the title', async () => {
  const ground = await renderPixels(drawGround(colors, ''))
  const cover = await renderPixels(drawCover('python-from-zero', 'technology'), 144)
  expect([ground.length, cover.length]).toEqual([width * height * 4, width * height * 4])

  const opening = revealCover(ground, cover, 1)
  const part = (picture: Buffer, row: number, from: number, to: number) =>
    picture.subarray((row * width + from) * 4, (row * width + to) * 4)
  for (const row of [0, height - 1]) {
    expect(part(opening, row, 0, 600).equals(part(ground, row, 0, 600))).toBe(true)
    expect(part(opening, row, 1100, width).equals(part(ground, row, 1100, width))).toBe(false)
    expect(
      Math.max(...part(opening, row, 1100, width).filter((_, i) => i % 4 < 3)),
    ).toBeGreaterThan(30)
  }
})

test('text that does not fit at 28 pixels is refused', () => {
  const drawing: DrawnPart[] = [{ box: [640, 300, 60, 40], text: 'Incomprehensibilities', show: 0 }]
  expect(() => drawDrawing({ ...scene, drawing }, colors, 1)).toThrow(
    'Shorten it or give it more room',
  )
})

test('letters on a part have a contrast of 4.5, whatever its color', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const ground = `#${number.toString(16).padStart(6, '0')}`
      expect(contrast(pickTextColor(ground), ground)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test.each([
  ['business', 'financial-modelling'],
  ['marketing', 'content-and-search'],
  ['design', 'typography-for-screens'],
  ['photography', 'photography-light-and-composition'],
  ['technology', 'python-from-zero'],
])('words on the ground of a %s video have a contrast of 4.5', (category, slug) => {
  const palette = coursePalette(slug, category)
  const names = createDrawingColors(palette)
  for (const ground of [names.base, names.panel]) {
    for (const name of ['white', 'light', 'spark', 'dim', 'good', 'bad'] as const) {
      expect(contrast(names[name], ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test.each([
  ['captions that are too fast', { seconds: 2 }, 'too fast to read'],
  ['words where captions stand', { drawing: [{ words: 'Low', at: [640, 650] }] }, '576'],
  [
    'a part that is two things',
    { drawing: [{ words: 'a', at: [9, 9], box: [9, 9, 9, 9] }] },
    'exactly one of',
  ],
  [
    'lists of different length',
    { drawing: [{ words: 'a', each: { at: [[9, 9]], show: [1, 2] } }] },
    'same length',
  ],
])('a storyboard is refused for %s', (_, change, problem) => {
  const good = { ...scene, drawing: [{ words: 'Fine', at: [640, 300] }] }

  expect(storyboardFile.safeParse({ scenes: [good, good] }).success).toBe(true)
  expect(
    storyboardFile.safeParse({ scenes: [good, { ...good, ...change }] }).error?.message,
  ).toContain(problem)
})

test('editors know the shape of a storyboard', async () => {
  expect(await readFile(storyboardJsonSchema.file, 'utf8')).toBe(storyboardJsonSchema.text)
})
