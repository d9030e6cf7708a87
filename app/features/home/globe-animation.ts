import createGlobe, { type COBEOptions } from 'cobe'

/**
 * The angles and the map of `tools/artwork/globe`, which drew the still picture. With the same
 * values, the moving globe replaces the picture without a jump.
 */
const view = { phi: -1.92, theta: 0.28, mapSamples: 16000 }
const radiansPerSecond = 0.06
/**
 * The globe turns no further than this much time between two frames, such as after a hidden tab.
 */
const maxFrameStepMs = 500
/**
 * The first frames may be drawn before the map of the world is decoded, so they are not displayed.
 */
const framesBeforeDisplay = 3
const maxCanvasSidePixels = 1200
const frameMs = 1000 / 30

/**
 * The colors of the globe for each theme: dark dots on white, or light dots on black. The library
 * draws only shades of one color, which the page tints.
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
 * Shows the turning globe in an element until the signal aborts. The globe pauses while the element
 * is out of sight.
 *
 * @param onMovingChange is called with `true` once the first frames are drawn, and with `false`
 * when the globe is removed, for example because the browser has lost its WebGL context
 */
export function startGlobe(
  container: HTMLElement,
  signal: AbortSignal,
  onMovingChange: (isMoving: boolean) => void,
): void {
  const canvas = document.createElement('canvas')
  canvas.className = 'size-full'
  container.replaceChildren(canvas)

  const containerPixels = container.clientWidth * Math.min(devicePixelRatio, 2)
  const sidePixels = Math.min(containerPixels, maxCanvasSidePixels)
  const getPalette = watchPalette(signal)
  const globe = createGlobe(canvas, {
    ...view,
    ...getPalette(),
    width: sidePixels,
    height: sidePixels,
    devicePixelRatio: 1,
    markerColor: [1, 1, 1],
    context: { powerPreference: 'low-power' },
  })

  const endController = new AbortController()
  let { phi } = view
  let frameCount = 0
  let previousFrameAt = performance.now()
  const drawFrame = (now: number) => {
    if (endController.signal.aborted) {
      return
    }

    const elapsedMs = Math.min(now - previousFrameAt, maxFrameStepMs)
    previousFrameAt = now
    phi += (elapsedMs / 1000) * radiansPerSecond
    globe.update({ ...getPalette(), phi })
    frameCount += 1
    if (frameCount === framesBeforeDisplay) {
      onMovingChange(true)
    }
  }

  let timer: ReturnType<typeof setInterval> | undefined
  const setRunning = (isRunning: boolean) => {
    clearInterval(timer)
    if (isRunning) {
      timer = setInterval(() => requestAnimationFrame(drawFrame), frameMs)
    }
  }
  const observer = new IntersectionObserver(([entry]) => setRunning(entry?.isIntersecting ?? false))
  observer.observe(container)

  const end = () => {
    endController.abort()
    observer.disconnect()
    setRunning(false)
    globe.destroy()
    container.replaceChildren()
    onMovingChange(false)
  }

  canvas.addEventListener('webglcontextlost', end, { signal: endController.signal })
  signal.addEventListener('abort', end, { signal: endController.signal })
}

/** Returns a function that returns the palette of the page's current theme. */
function watchPalette(signal: AbortSignal) {
  let palette = readPalette()
  const updatePalette = () => {
    palette = readPalette()
  }

  const observer = new MutationObserver(updatePalette)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', updatePalette, {
    signal,
  })

  return () => palette
}

function readPalette() {
  const theme = getComputedStyle(document.documentElement).getPropertyValue('--theme').trim()
  return theme === 'dark' ? palettes.dark : palettes.light
}
