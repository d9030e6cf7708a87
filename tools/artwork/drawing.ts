/** Draws the animated drawing of a scene at a time. */
import { type ColorName, createDrawingColors, type DrawingColors } from './drawing-colors.ts'
import { shapes } from './drawing-shapes.ts'
import type { Palette } from './palette.ts'
import type { Scene } from './storyboard.ts'
import { group, round } from './svg.ts'
import { computePartState, createClock, expandParts, type PartState } from './timeline.ts'

type ShapeKind = keyof typeof shapes
const shapeKinds = Object.keys(shapes) as ShapeKind[]

/** These parts grow when they appear. All other parts fade in and rise a little. */
const growingKinds: ShapeKind[] = ['arrow', 'bar']
const riseHeight = 14

type DrawnScene = Pick<Scene, 'seconds' | 'caption'> & { drawing: NonNullable<Scene['drawing']> }

/** Returns the drawing of a scene in the pixels of a picture of 1280 x 720. */
export function drawDrawing(scene: DrawnScene, palette: Palette, time: number): string {
  const colors = createDrawingColors(palette)
  const clock = createClock(scene)
  const resolveColor = (name: string) => colors[name as ColorName] ?? name

  const parts = expandParts(scene.drawing).map((part) => {
    const state = computePartState(part, time, clock, resolveColor)
    if (state.litFill) {
      state.litFill = resolveColor(state.litFill)
    }

    return drawPart(state, colors)
  })

  return parts.join('')
}

function drawPart(state: PartState, colors: DrawingColors): string {
  if (state.shown <= 0 || state.fade <= 0) {
    return ''
  }

  const kind = shapeKinds.find((name) => Object.hasOwn(state, name)) ?? 'words'
  const drawShape = shapes[kind] as (part: PartState, colors: DrawingColors) => string
  const content = drawShape(state, colors)

  const isRising = !growingKinds.includes(kind) && state.shown < 1
  const opacity = isRising ? state.fade * state.shown : state.fade
  if (opacity >= 1) {
    return content
  }

  const transform =
    isRising && !state.still ? `translate(0 ${round((1 - state.shown) * riseHeight)})` : null
  return group({ opacity: round(opacity, 2), transform }, content)
}
