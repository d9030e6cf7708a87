import { type ComponentType, lazy } from 'react'

function Nothing() {
  return null
}

/**
 * A part of a page that only some load. Where it can't be loaded, the page does without it instead
 * of failing.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() => load().then(asDefault, () => asDefault<Props>(Nothing)))
}

function asDefault<Props extends object>(part: ComponentType<Props>) {
  return { default: part }
}
