import createGlobe, { type COBEOptions } from 'cobe'
import { createPacer } from './globe-pace'
import { addMissingPageParts } from './globe-page-parts'

/** Messages from the page to the worker; `side` is in canvas pixels. */
export type GlobeOrder =
  | { do: 'start'; canvas: OffscreenCanvas; side: number; theme: Theme }
  /** `yield`: a visitor presses or types. */
  | { do: 'run' | 'rest' | 'yield' }
  | { do: 'paint'; theme: Theme }
  | { do: 'resize'; side: number }

/** Messages from the worker to the page: once, when the globe is ready, or that it can't be shown. */
export type GlobeReport = 'moving' | 'failed'

type Theme = keyof typeof palettes
type Globe = { update(state: Partial<COBEOptions>): void; run(): void; rest(): void; yield(): void }

/** The view of `tools/artwork/globe.mjs`, so that the moving globe takes the still one's place without a jump. */
const view = { phi: -1.92, theta: 0.28, mapSamples: 16000 }
const radiansPerSecond = 0.06
/** The map of the world is decoded after the first frame. */
const framesBeforeShown = 3

/** Dark dots on white, or light dots on black: the library knows only shades of one color, the page tints them. */
const palettes = {
  light: { dark: 0, diffuse: 0.8, baseColor: [0.97, 0.965, 1], glowColor: [0.66, 0.62, 0.97], mapBrightness: 4 },
  dark: { dark: 1, diffuse: 0.9, baseColor: [0.66, 0.62, 0.95], glowColor: [0.2, 0.17, 0.5], mapBrightness: 2 },
} satisfies Record<string, Partial<COBEOptions>>

const report = (message: GlobeReport) => self.postMessage(message)
let globe: Globe | null = null

self.onmessage = ({ data: order }: MessageEvent<GlobeOrder>) => {
  if (order.do === 'start') globe = makeGlobe(order)
  if (order.do === 'run') globe?.run()
  if (order.do === 'rest') globe?.rest()
  if (order.do === 'yield') globe?.yield()
  if (order.do === 'paint') globe?.update(palettes[order.theme])
  if (order.do === 'resize') globe?.update(sizeOf(order.side))
}

function makeGlobe({ canvas, side, theme }: Extract<GlobeOrder, { do: 'start' }>): Globe | null {
  // The library takes the context that is already there, and says nothing if there is none.
  const gl = canvas.getContext('webgl2', { antialias: false, depth: false, powerPreference: 'low-power' })
  if (!gl) {
    report('failed')
    return null
  }
  canvas.addEventListener('webglcontextlost', () => report('failed'))
  addMissingPageParts()
  const options: COBEOptions = { ...view, ...palettes[theme], ...sizeOf(side), markerColor: [1, 1, 1], markers: [] }
  // The library wants an element but uses only what both kinds of canvas have.
  const drawn = createGlobe(canvas as unknown as HTMLCanvasElement, options)
  const frames = drawFrames(gl, (seconds) => drawn.update({ phi: view.phi + seconds * radiansPerSecond }))
  return { update: drawn.update, ...frames }
}

function sizeOf(side: number) {
  return { width: side, height: side, devicePixelRatio: 1 }
}

/** The globe only turns while it runs. */
function drawFrames(gl: WebGL2RenderingContext, draw: (seconds: number) => void) {
  const pacer = createPacer()
  let request = 0
  let seconds = 0
  let last: number | null = null
  let fence: WebGLSync | null = null
  let drawn = 0

  const step = (now: number) => {
    request = requestAnimationFrame(step)
    if (fence) {
      if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return
      gl.deleteSync(fence)
      fence = null
      pacer.finished(now)
    }
    if (!pacer.isDue(now)) return
    seconds += last === null ? 0 : (now - last) / 1000
    last = now
    draw(seconds)
    pacer.started(now)
    fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    drawn += 1
    if (drawn === framesBeforeShown) report('moving')
  }
  return {
    run() {
      request ||= requestAnimationFrame(step)
    },
    rest() {
      cancelAnimationFrame(request)
      request = 0
      last = null
    },
    yield() {
      last = null
      pacer.pressed(performance.now())
    },
  }
}
