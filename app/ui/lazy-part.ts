import { type ComponentType, lazy } from 'react'

function Nothing() {
  return null
}

/**
 * Returns a component whose code is loaded when it is first shown. If the code can't be loaded, the
 * component shows nothing, so that the rest of the page still works.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() => load().then(asDefault, () => asDefault<Props>(Nothing)))
}

function asDefault<Props extends object>(part: ComponentType<Props>) {
  return { default: part }
}
