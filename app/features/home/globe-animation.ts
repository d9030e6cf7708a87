import createGlobe, { type COBEOptions } from 'cobe'

/**
 * The view of `tools/artwork/globe`, so that the moving globe takes the still one's place without a
 * jump.
 */
const view = { phi: -1.92, theta: 0.28, mapSamples: 16000 }
const radiansPerSecond = 0.06
/** A longer pause between two frames, such as a hidden tab, turns the globe no further. */
const longestStepMs = 500
/** The map of the world is decoded after the first frame. */
const framesBeforeShown = 3
const maxCanvasSidePixels = 1200
const frameMs = 1000 / 30

/**
 * Dark dots on white, or light dots on black: the library knows only shades of one color, the page
 * tints them.
 */
const palettes = {
  light: {
    dark: 0,
    diffuse: 0.8,
    baseColor: [0.97, 0.965, 1],
    glowColor: [0.66, 0.62, 0.97],
    mapBrightness: 4,
  },
  dark: {
    dark: 1,
    diffuse: 0.9,
    baseColor: [0.66, 0.62, 0.95],
    glowColor: [0.2, 0.17, 0.5],
    mapBrightness: 2,
  },
} satisfies Record<string, Partial<COBEOptions>>

/**
 * Shows the turning globe in `stage` until the signal aborts. It rests while it is out of sight.
 *
 * @param onMoving is called with `true` once the first frames are drawn, and with `false` when the
 * graphics card gives up
 */
export function startGlobe(
  stage: HTMLElement,
  signal: AbortSignal,
  onMoving: (moving: boolean) => void,
): void {
  const canvas = document.createElement('canvas')
  canvas.className = 'size-full'
  stage.replaceChildren(canvas)
  const stagePixels = stage.clientWidth * Math.min(devicePixelRatio, 2)
  const side = Math.min(stagePixels, maxCanvasSidePixels)
  const palette = watchPalette(signal)
  const globe = createGlobe(canvas, {
    ...view,
    ...palette.current(),
    width: side,
    height: side,
    devicePixelRatio: 1,
    markerColor: [1, 1, 1],
    context: { powerPreference: 'low-power' },
  })

  const leaving = new AbortController()
  let { phi } = view
  let frames = 0
  let last = performance.now()
  const drawFrame = (now: number) => {
    if (leaving.signal.aborted) {
      return
    }

    phi += (Math.min(now - last, longestStepMs) / 1000) * radiansPerSecond
    last = now
    globe.update({ ...palette.current(), phi })
    frames += 1
    if (frames === framesBeforeShown) {
      onMoving(true)
    }
  }
  let timer: ReturnType<typeof setInterval> | undefined
  const run = (visible: boolean) => {
    clearInterval(timer)
    if (visible) {
      timer = setInterval(() => requestAnimationFrame(drawFrame), frameMs)
    }
  }
  const observer = new IntersectionObserver(([entry]) => run(entry?.isIntersecting ?? false))
  observer.observe(stage)

  const end = () => {
    leaving.abort()
    observer.disconnect()
    run(false)
    globe.destroy()
    stage.replaceChildren()
    onMoving(false)
  }

  canvas.addEventListener('webglcontextlost', end, { signal: leaving.signal })
  signal.addEventListener('abort', end, { signal: leaving.signal })
}

/** The colors of the page's theme, also after it has changed. */
function watchPalette(signal: AbortSignal) {
  let palette = paletteOfTheme()
  const look = () => {
    palette = paletteOfTheme()
  }
  const observer = new MutationObserver(look)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', look, { signal })

  return { current: () => palette }
}

function paletteOfTheme() {
  const name = getComputedStyle(document.documentElement).getPropertyValue('--theme').trim()
  return palettes[name === 'dark' ? 'dark' : 'light']
}
