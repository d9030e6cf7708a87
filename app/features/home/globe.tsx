import { useEffect, useRef, useState } from 'react'

/**
 * The decorative globe behind the hero. The page starts with a still picture. The moving globe appears
 * over it once the page is usable. It never appears where motion is unwanted, data are saved, or no
 * graphics card draws WebGL, because the processor would block the page for seconds.
 */
export function Globe({ className }: { className: string }) {
  const { stage, moving } = useMovingGlobe()
  return (
    <div
      aria-hidden="true"
      data-globe={moving ? 'moving' : 'still'}
      className={`pointer-events-none ${className}`}
    >
      <div className="relative aspect-square animate-appear">
        {/* Lazy, so that only the theme's own picture is loaded. */}
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
          className={`absolute inset-0 isolate transition-opacity duration-1000 ${moving ? 'opacity-100' : 'opacity-0'}`}
        >
          <div ref={stage} className="size-full" />
          {/* The library shades in one color only: this one is screened over its dark parts. */}
          <div className="absolute inset-[10%] rounded-full bg-accent mix-blend-screen in-dark:bg-accent-soft/40" />
        </div>
      </div>
    </div>
  )
}

/** Whether the globe is moving, and the element it is drawn in. */
function useMovingGlobe() {
  const stage = useRef<HTMLDivElement>(null)
  const [moving, setMoving] = useState(false)
  useEffect(() => {
    const stillness = matchMedia('(prefers-reduced-motion: reduce)')
    let stop = () => {}
    const begin = () => {
      stop()
      setMoving(false)
      stop = stillness.matches || savesData() ? () => {} : beginWhenIdle()
    }
    const beginWhenIdle = () => {
      const leaving = new AbortController()
      whenIdle(async () => {
        if (!hasGraphicsCard()) {
          return
        }

        const { startGlobe } = await import('./globe-animation')
        if (stage.current && !leaving.signal.aborted) {
          startGlobe(stage.current, leaving.signal, setMoving)
        }
      }, leaving.signal)

      return () => leaving.abort()
    }

    begin()
    stillness.addEventListener('change', begin)

    return () => {
      stillness.removeEventListener('change', begin)
      stop()
    }
  }, [])

  return { stage, moving }
}

function savesData(): boolean {
  const connection = 'connection' in navigator ? navigator.connection : null
  return connection instanceof Object && 'saveData' in connection && connection.saveData === true
}

/**
 * Tells whether a graphics card draws WebGL. Some browsers draw with the processor in spite of
 * `failIfMajorPerformanceCaveat`, so that the name of the renderer decides as well.
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

/**
 * Calls back once, after the page has loaded and the browser is idle.
 *
 * @param signal cancels a callback that has not started.
 */
function whenIdle(begin: () => void, signal: AbortSignal): void {
  const waitForRest = () => {
    if (signal.aborted) {
      return
    }

    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(begin, 500)
      signal.addEventListener('abort', () => clearTimeout(timer))
      return
    }

    const request = requestIdleCallback(begin)
    signal.addEventListener('abort', () => cancelIdleCallback(request))
  }

  if (document.readyState === 'complete') {
    waitForRest()
  } else {
    window.addEventListener('load', waitForRest, { once: true, signal })
  }
}
