import { useEffect, useRef, useState } from 'react'

/**
 * Shows the decorative globe behind the hero. The page starts with a still picture, and the moving
 * globe appears over the picture once the page is usable. The globe stays still for visitors who
 * prefer reduced motion or save data. It also stays still without a graphics card for WebGL,
 * because drawing it with the processor would block the page for seconds.
 */
export function Globe({ className }: { className: string }) {
  const { container, isMoving } = useMovingGlobe()

  return (
    <div
      aria-hidden="true"
      data-globe={isMoving ? 'moving' : 'still'}
      className={`pointer-events-none ${className}`}
    >
      <div className="relative aspect-square animate-appear">
        {/* These images are lazy, so that only the picture of the current theme is loaded. */}
        <img
          src="/images/globe.svg"
          alt=""
          loading="lazy"
          width={1000}
          height={1000}
          className="size-full in-dark:hidden"
        />
        <img
          src="/images/globe-dark.svg"
          alt=""
          loading="lazy"
          width={1000}
          height={1000}
          className="hidden size-full in-dark:block"
        />
        <div
          className={`absolute inset-0 isolate transition-opacity duration-1000 ${isMoving ? 'opacity-100' : 'opacity-0'}`}
        >
          <div ref={container} className="size-full" />
          {/* The library draws only shades of one color. This element tints the dark ones. */}
          <div className="absolute inset-[10%] rounded-full bg-accent mix-blend-screen in-dark:bg-accent-soft/40" />
        </div>
      </div>
    </div>
  )
}

/** Returns whether the globe is moving, and a ref for the element in which it is drawn. */
function useMovingGlobe() {
  const container = useRef<HTMLDivElement>(null)
  const [isMoving, setIsMoving] = useState(false)

  useEffect(() => {
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    let stopController = new AbortController()

    const start = async (signal: AbortSignal) => {
      if (!hasGraphicsCard()) {
        return
      }

      const { startGlobe } = await import('./globe-animation')
      if (container.current && !signal.aborted) {
        startGlobe(container.current, signal, setIsMoving)
      }
    }

    const restart = () => {
      stopController.abort()
      setIsMoving(false)
      if (reducedMotion.matches || isSavingData()) {
        return
      }

      stopController = new AbortController()
      const { signal } = stopController
      runWhenIdle(() => void start(signal), signal)
    }

    restart()
    reducedMotion.addEventListener('change', restart)

    return () => {
      reducedMotion.removeEventListener('change', restart)
      stopController.abort()
    }
  }, [])

  return { container, isMoving }
}

/** Returns whether the visitor has asked the browser to load less data. */
function isSavingData(): boolean {
  const connection = 'connection' in navigator ? navigator.connection : null
  return connection instanceof Object && 'saveData' in connection && connection.saveData === true
}

/**
 * Returns whether a graphics card draws WebGL. Some browsers draw with the processor in spite of
 * `failIfMajorPerformanceCaveat`, so the name of the renderer is checked as well.
 */
function hasGraphicsCard(): boolean {
  const canvas = document.createElement('canvas')
  const gl = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!gl) {
    return false
  }

  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  return !/swiftshader|llvmpipe|software|basic render/i.test(renderer)
}

/** The delay in browsers that can't tell when they are idle. */
const fallbackDelayMs = 500

/**
 * Runs the callback once, after the page has loaded and the browser is idle.
 *
 * @param signal cancels a callback that has not started
 */
function runWhenIdle(callback: () => void, signal: AbortSignal): void {
  const waitForIdle = () => {
    if (signal.aborted) {
      return
    }

    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(callback, fallbackDelayMs)
      signal.addEventListener('abort', () => clearTimeout(timer))
      return
    }

    const request = requestIdleCallback(callback)
    signal.addEventListener('abort', () => cancelIdleCallback(request))
  }

  if (document.readyState === 'complete') {
    waitForIdle()
  } else {
    window.addEventListener('load', waitForIdle, { once: true, signal })
  }
}
