import { type RefObject, useLayoutEffect, useState } from 'react'

/** @returns whether the element is narrower than so many pixels; a phone held sideways has a narrow film, too. */
export function useNarrow(element: RefObject<HTMLElement | null>, pixels: number): boolean {
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => setNarrow(measured.clientWidth < pixels)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, pixels])
  return narrow
}
