/**
 * What `vite.config.ts` gives browsers instead of React Router's discovery of routes: `routeDiscovery` is 'initial', so every
 * route is known from the first page and nothing is ever discovered.
 */
export function isFogOfWarEnabled() {
  return false
}

export function getPatchRoutesOnNavigationFunction() {
  return undefined
}

export function useFogOFWarDiscovery() {}

export function getPartialManifest(manifest: object) {
  return manifest
}
