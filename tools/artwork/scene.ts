/**
 * Draws a scene of a storyboard at a time. The picture depends on nothing but the scene and the
 * time: two times at which nothing moves give the same text, by which the caller knows that it need
 * not draw again.
 *
 * The lowest fifth of a picture has no text, because players show captions there. Title cards and
 * diagrams are laid out on 640 x 360 pixels and drawn twice as large. The parts of an animated
 * drawing have the size of the picture.
 */
import { drawDiagram } from './diagrams.ts'
import { drawDrawing } from './drawing.ts'
import type { Palette } from './palette.ts'
import {
  appear,
  clamp,
  easeOut,
  fitText,
  height,
  leftMargin,
  spreadTimes,
  type TextBlock,
  textRoom,
  white,
  width,
} from './scene-layout.ts'
import type { Diagram, Scene } from './storyboard.ts'
import { circle, element, group, linear, mix, rect, round } from './svg.ts'
import { outlinedText } from './type.ts'

/** The time in which a scene disappears at its end. */
const fadeOutSeconds = 0.3
/** Diagrams end above this height, where the captions begin. */
const diagramBottom = 300
/** The middle of a title card's text. */
const titleMiddle = 172

/**
 * Draws everything of a picture except its background.
 *
 * @param time the seconds since the scene's start
 * @param isOpening whether the cover of the course shows through at the right
 */
export function drawScene(
  scene: Scene,
  palette: Palette,
  time: number,
  isOpening: boolean,
): string {
  const opacity = clamp((scene.seconds - time) / fadeOutSeconds)
  const { drawing, diagram } = scene
  if (drawing) {
    return createPicture(fade(drawAnimatedScene({ ...scene, drawing }, palette, time), opacity))
  }

  const content = diagram
    ? drawDiagramScene({ ...scene, diagram }, palette, time)
    : drawTitleScene(scene, { palette, time, isOpening })
  return createPicture([createDefinitions(palette), fade([content], opacity).join('')])
}

/** Draws the background of all scenes of a course, with the mark in the upper right corner. */
export function drawGround(palette: Palette, mark: string): string {
  const base = mix(palette.deep, '#0f1222', 0.45)
  const createStop = ([offset, opacity]: readonly [number, number]) =>
    element('stop', { offset, 'stop-color': palette.mid, 'stop-opacity': opacity })
  const upperLight = element(
    'radialGradient',
    { id: 'a', cx: 0.95, cy: 0, r: 0.95 },
    (
      [
        [0, 0.55],
        [0.5, 0.16],
        [1, 0],
      ] as const
    ).map(createStop),
  )
  const lowerLight = element(
    'radialGradient',
    { id: 'b', cx: 0, cy: 1, r: 0.7 },
    (
      [
        [0, 0.3],
        [1, 0],
      ] as const
    ).map(createStop),
  )

  return createPicture([
    element('defs', {}, [upperLight, lowerLight]),
    rect(0, 0, width, height, 0, { fill: base }),
    rect(0, 0, width, height, 0, { fill: 'url(#a)' }),
    rect(0, 0, width, height, 0, { fill: 'url(#b)' }),
    group(
      { fill: 'none', stroke: palette.light, 'stroke-opacity': 0.07 },
      [120, 190, 260].map((radius) => circle(610, 10, radius)),
    ),
    group({ transform: 'translate(596 20) scale(.75)', opacity: 0.9 }, mark),
  ])
}

function createPicture(children: readonly string[]): string {
  const size = { width: width * 2, height: height * 2, viewBox: `0 0 ${width} ${height}` }
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, children)
}

function fade(content: readonly string[], opacity: number): string[] {
  return opacity >= 1 ? [...content] : [group({ opacity: round(opacity, 2) }, content)]
}

/** Creates the gradients that bars and cells of diagrams are filled with. */
function createDefinitions(palette: Palette): string {
  return element('defs', {}, [
    linear(
      'bar',
      [0, 0, width, 0],
      [
        [0, palette.hue],
        [1, palette.light],
      ],
      { gradientUnits: 'userSpaceOnUse' },
    ),
    linear(
      'cell',
      [0, 0, 1, 1],
      [
        [0, palette.light],
        [1, palette.hue],
      ],
    ),
  ])
}

/** Draws an animated drawing below its heading. */
function drawAnimatedScene(
  scene: Scene & { drawing: NonNullable<Scene['drawing']> },
  palette: Palette,
  time: number,
): string[] {
  const heading = scene.heading && outlinedText(leftMargin, 46, 21, scene.heading, { weight: 650 })

  return [
    heading ? appear(easeOut(time, 0.1), heading) : '',
    group({ transform: 'scale(.5)' }, drawDrawing(scene, palette, time)),
  ]
}

/** Draws a heading, one line of text, and a diagram below them. */
function drawDiagramScene(
  scene: Scene & { diagram: Diagram },
  palette: Palette,
  time: number,
): string {
  const content: string[] = []
  let y = 46

  if (scene.heading) {
    const heading = fitText(scene.heading, textRoom, { maxSize: 30, minSize: 24, maxLines: 1 })
    for (const line of heading.lines) {
      y += heading.size
      const text = outlinedText(leftMargin, y, heading.size, line, { weight: 650 })
      content.push(appear(easeOut(time, 0.1), text))
    }
  }

  const [firstLine] = scene.lines
  if (firstLine) {
    const { size, lines } = fitText(firstLine, textRoom, { maxSize: 19, minSize: 15, maxLines: 1 })
    y += 10 + size
    const style = { fill: palette.light, opacity: 0.92 }
    const text = outlinedText(leftMargin, y, size, lines[0] ?? '', style)
    content.push(appear(easeOut(time, 0.4), text))
  }

  const area = { top: y + 24, bottom: diagramBottom }
  return [...content, ...drawDiagram(scene, palette, { time, area })].join('')
}

type TitleContext = { palette: Palette; time: number; isOpening: boolean }

/** Draws a title card: a heading, and marked sentences below it. */
function drawTitleScene(scene: Scene, { palette, time, isOpening }: TitleContext): string {
  // The cover needs the right part of the opening scene.
  const room = isOpening ? 372 : textRoom
  const headingLimits = isOpening
    ? { maxSize: 42, minSize: 28, maxLines: 3 }
    : { maxSize: 36, minSize: 28, maxLines: 2 }
  const heading: TextBlock = scene.heading
    ? fitText(scene.heading, room, headingLimits)
    : { size: 0, lines: [] }
  const blocks = joinSentences(scene.lines).map((sentence) =>
    fitText(sentence, room - 24, { maxSize: isOpening ? 20 : 23, minSize: 17, maxLines: 2 }),
  )

  const headingHeight = heading.lines.length * heading.size * 1.14
  const blocksHeight = blocks.reduce((sum, block) => sum + getBlockHeight(block), 0)
  const gap = blocks.length ? 20 : 0
  let y = Math.max(58, titleMiddle - (headingHeight + gap + blocksHeight) / 2)

  const content = heading.lines.map((line, index) => {
    y += heading.size * (index ? 1.14 : 0.86)
    const text = outlinedText(leftMargin, round(y), heading.size, line, { weight: 650 })
    return appear(easeOut(time, 0.1 + index * 0.12), text)
  })

  y += 22
  const times = spreadTimes(scene, blocks.length, 0.7)
  for (const [index, block] of blocks.entries()) {
    const share = easeOut(time, times[index] ?? 0)
    content.push(appear(share, drawSentence(block, y, palette), [-10, 0]))
    y += getBlockHeight(block)
  }

  return content.join('')
}

function getBlockHeight({ lines, size }: TextBlock): number {
  return lines.length * size * 1.32 + 9
}

/** Draws a sentence with a bar to its left. */
function drawSentence({ size, lines }: TextBlock, y: number, palette: Palette): string {
  const barHeight = size * (0.84 + (lines.length - 1) * 1.32)
  const bar = rect(leftMargin, round(y + size * 0.26), 4, round(barHeight), 2, {
    fill: palette.spark,
  })
  const texts = lines.map((line, index) =>
    outlinedText(leftMargin + 20, round(y + size * (1 + index * 1.32)), size, line, {
      fill: mix(palette.light, white, 0.45),
      opacity: 0.95,
    }),
  )

  return [bar, ...texts].join('')
}

/** Joins the lines of a sentence. A line that starts in lower case continues the line before it. */
function joinSentences(lines: readonly string[]): string[] {
  const sentences: string[] = []
  for (const line of lines) {
    const continuesSentence = sentences.length > 0 && /^[a-z]+[ ,]/.test(line)
    if (continuesSentence) {
      sentences[sentences.length - 1] += ` ${line}`
    } else {
      sentences.push(line)
    }
  }

  return sentences
}
