import type { GlobeOrder, GlobeReport } from './globe-worker'
import GlobeWorker from './globe-worker?worker'

const mostPixels = 1200

/**
 * Shows the turning globe in `stage` until the signal aborts. A worker draws it, so that the page never waits for it,
 * and rests while it is out of sight.
 *
 * @param onMoving told `true` once the first frames are drawn, `false` when the graphics card gives up; never told
 * anything where WebGL 2 or drawing in a worker is missing.
 */
export function startGlobe(stage: HTMLElement, signal: AbortSignal, onMoving: (moving: boolean) => void): void {
  const canvas = document.createElement('canvas')
  if (!('transferControlToOffscreen' in canvas)) return
  canvas.className = 'size-full'
  stage.replaceChildren(canvas)
  const worker = new GlobeWorker()
  const order = (message: GlobeOrder, transfer: Transferable[] = []) => worker.postMessage(message, transfer)
  const end = () => {
    worker.terminate()
    stage.replaceChildren()
    onMoving(false)
  }
  worker.onmessage = ({ data }: MessageEvent<GlobeReport>) => (data === 'moving' ? onMoving(true) : end())
  worker.onerror = end
  signal.addEventListener('abort', end)

  const offscreen = canvas.transferControlToOffscreen()
  order({ do: 'start', canvas: offscreen, side: sideOf(stage), theme: theme() }, [offscreen])
  watchSight(stage, signal, (inSight) => order({ do: inSight ? 'run' : 'rest' }))
  watchPresses(signal, () => order({ do: 'yield' }))
  watchTheme(signal, () => order({ do: 'paint', theme: theme() }))
  watchSize(stage, signal, () => order({ do: 'resize', side: sideOf(stage) }))
}

/** Visible: part of the globe is on screen, in a visible tab. */
function watchSight(stage: HTMLElement, signal: AbortSignal, onChange: (inSight: boolean) => void) {
  let onScreen = false
  const tell = () => onChange(onScreen && !document.hidden)
  const observer = new IntersectionObserver(([entry]) => {
    onScreen = entry?.isIntersecting ?? false
    tell()
  })
  observer.observe(stage)
  document.addEventListener('visibilitychange', tell, { signal })
  signal.addEventListener('abort', () => observer.disconnect())
}

function watchPresses(signal: AbortSignal, onPress: () => void) {
  for (const press of ['pointerdown', 'keydown']) window.addEventListener(press, onPress, { passive: true, signal })
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

function sideOf(stage: HTMLElement): number {
  return Math.min(mostPixels, Math.round(stage.clientWidth * Math.min(devicePixelRatio, 2)))
}

function theme(): 'light' | 'dark' {
  const name = getComputedStyle(document.documentElement).getPropertyValue('--theme').trim()
  return name === 'dark' ? 'dark' : 'light'
}
