/** What `vite.config.ts` gives browsers instead of React Router's instrumentation, which nothing here asks for. */
export function consumeInstrumentationClientResultMetaReceiver() {
  return undefined
}

export function getRouteInstrumentationUpdates() {
  return {}
}

export function instrumentClientSideRouter<Router>(router: Router) {
  return router
}
