import createGlobe, { type COBEOptions, type Globe } from 'cobe'
import { createPacer } from './globe-pace'

/** The view of `scripts/media/globe.mjs`, so that the moving globe takes the still one's place without a jump. */
const view = { phi: -1.92, theta: 0.28, mapSamples: 16000 }
const radiansPerSecond = 0.06
const mostPixels = 1200

/**
 * Draws the turning globe in `stage` until the signal aborts. It rests while it is out of sight.
 *
 * @param onMoving told `true` once the first frames are drawn, `false` if the graphics card gives up. Never told anything
 * where WebGL 2 is missing.
 */
export function startGlobe(stage: HTMLElement, signal: AbortSignal, onMoving: (moving: boolean) => void): void {
  const canvas = document.createElement('canvas')
  canvas.className = 'size-full'
  stage.replaceChildren(canvas)
  // The library takes the context that is already there; without a second one it draws nothing.
  const gl = canvas.getContext('webgl2', { antialias: false, depth: false, powerPreference: 'low-power' })
  if (!gl) {
    stage.replaceChildren()
    return
  }

  const globe = createQuietGlobe(canvas, { ...view, ...palette(), ...sizeOf(stage), markers: [] })
  const frames = drawFrames(gl, (seconds) => globe.update({ phi: view.phi + seconds * radiansPerSecond }), onMoving)
  const end = () => {
    frames.stop()
    globe.destroy()
    stage.replaceChildren()
    onMoving(false)
  }
  canvas.addEventListener('webglcontextlost', end, { signal })
  watchSight(stage, signal, frames)
  watchTheme(signal, () => globe.update(palette()))
  watchSize(stage, signal, () => globe.update(sizeOf(stage)))
  signal.addEventListener('abort', end)
}

/** The library rewrites a style element of its own with every frame; out of the document that costs nothing. */
function createQuietGlobe(canvas: HTMLCanvasElement, options: COBEOptions): Globe {
  const before = new Set(document.querySelectorAll('head > style'))
  const globe = createGlobe(canvas, options)
  for (const style of document.querySelectorAll('head > style')) if (!before.has(style)) style.remove()
  return globe
}

type Frames = { run(): void; rest(): void; stop(): void }

function drawFrames(gl: WebGL2RenderingContext, draw: (seconds: number) => void, onMoving: (moving: true) => void) {
  const pacer = createPacer()
  let request = 0
  let seconds = 0
  let last: number | null = null
  let fence: WebGLSync | null = null
  let drawn = 0

  const step = (now: number) => {
    request = requestAnimationFrame(step)
    if (fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return
    if (fence) {
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
    // The map of the world is decoded after the first frame.
    drawn += 1
    if (drawn === 3) onMoving(true)
  }
  const rest = () => {
    cancelAnimationFrame(request)
    request = 0
    last = null
  }
  return {
    run: () => {
      request ||= requestAnimationFrame(step)
    },
    rest,
    stop: rest,
  }
}

/** Draws only while some of the globe is on the screen, in a tab that shows. */
function watchSight(stage: HTMLElement, signal: AbortSignal, frames: Frames) {
  let onScreen = false
  const decide = () => (onScreen && !document.hidden && !signal.aborted ? frames.run() : frames.rest())
  const observer = new IntersectionObserver(([entry]) => {
    onScreen = entry?.isIntersecting ?? false
    decide()
  })
  observer.observe(stage)
  document.addEventListener('visibilitychange', decide, { signal })
  signal.addEventListener('abort', () => observer.disconnect())
}

function watchTheme(signal: AbortSignal, onChange: () => void) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange, { signal })
}

function watchSize(stage: HTMLElement, signal: AbortSignal, onChange: () => void) {
  const observer = new ResizeObserver(onChange)
  observer.observe(stage)
  signal.addEventListener('abort', () => observer.disconnect())
}

function sizeOf(stage: HTMLElement) {
  const side = Math.min(mostPixels, Math.round(stage.clientWidth * Math.min(devicePixelRatio, 2)))
  return { width: side, height: side, devicePixelRatio: 1 }
}

type Palette = Pick<COBEOptions, 'dark' | 'diffuse' | 'baseColor' | 'glowColor' | 'markerColor' | 'mapBrightness'>

/** Dark dots on white, or light dots on black: the library knows only shades of one colour, the page tints them. */
const palettes = {
  light: {
    dark: 0,
    diffuse: 0.8,
    baseColor: [0.97, 0.965, 1],
    glowColor: [0.66, 0.62, 0.97],
    markerColor: [1, 1, 1],
    mapBrightness: 4,
  },
  dark: {
    dark: 1,
    diffuse: 0.9,
    baseColor: [0.66, 0.62, 0.95],
    glowColor: [0.2, 0.17, 0.5],
    markerColor: [1, 1, 1],
    mapBrightness: 2,
  },
} satisfies Record<string, Palette>

function palette(): Palette {
  const theme = getComputedStyle(document.documentElement).getPropertyValue('--theme').trim()
  return palettes[theme === 'dark' ? 'dark' : 'light']
}
