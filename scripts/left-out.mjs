/**
 * What builds leave out of the libraries that every page loads: what nothing here uses and no bundler can tell from the
 * rest. A build fails where a library no longer has a part that is named here: then this list needs another look.
 *
 * @typedef {object} Parts
 * @property {string[]} [functions] that lose their body.
 * @property {string[]} [assigned] what is no longer assigned; a dot at its end or start stands for all that begins or ends so.
 * @property {string[]} [calls] functions whose calls go, where nothing reads their answer.
 * @property {Record<string, boolean>} [conditions] with the answer that they always have here.
 * @property {number[]} [tags] kinds of React's nodes that never occur here.
 */

const router = 'react-router/dist/production/lib'

/** @type {Record<string, Parts>} by the file in `node_modules`. */
export const leftOut = {
  // Whoever needs one of these puts it back together with its part below.
  'react/cjs/react.production.js': {
    assigned: [
      'exports.Activity',
      'exports.Profiler',
      'exports.ViewTransition',
      'exports.__COMPILER_RUNTIME',
      'exports.addTransitionType',
      'exports.cache',
      'exports.cacheSignal',
      'exports.unstable_useCacheRefresh',
      'exports.useActionState',
      'exports.useDeferredValue',
      'exports.useInsertionEffect',
      'exports.useReducer',
      'exports.useTransition',
    ],
  },
  'react-dom/cjs/react-dom.production.js': {
    assigned: [
      'exports.createPortal',
      'exports.preconnect',
      'exports.prefetchDNS',
      'exports.preinit',
      'exports.preinitModule',
      'exports.preload',
      'exports.preloadModule',
      'exports.requestFormReset',
      'exports.useFormState',
      'exports.useFormStatus',
    ],
  },
  'react-dom/cjs/react-dom-client.production.js': {
    // Portals, profilers, lists of <Suspense>, <ViewTransition>, <Activity>, and what only experiments have
    tags: [4, 12, 19, 23, 25, 30, 31],
    functions: [
      // <ViewTransition>
      'startViewTransition',
      'queueTransitionTypes',
      'getViewTransitionName',
      'getViewTransitionClassName',
      'applyViewTransitionToHostInstances',
      'restoreViewTransitionOnHostInstances',
      'scheduleViewTransitionEvent',
      'trackEnterViewTransitions',
      'commitEnterViewTransitions',
      'commitExitViewTransitions',
      'commitNestedViewTransitions',
      'restoreEnterOrExitViewTransitions',
      'restoreNestedViewTransitions',
      'measureNestedViewTransitions',
      'createViewTransitionInstance',
      // <Fragment ref>
      'FragmentInstance',
      'addFragmentHandleToFiber',
      'commitNewChildToFragmentInstance',
      'commitNewChildToFragmentInstances',
      'commitFragmentInstanceInsertionEffects',
      'commitFragmentInstanceDeletionEffects',
      'deleteChildFromFragmentInstance',
      'traverseVisibleInstancesAndTextInstances',
      // <Activity>, lists of <Suspense>, elements with a name of their own
      'updateActivityComponent',
      'updateSuspenseListComponent',
      'setPropOnCustomElement',
      // Forms whose action is a function
      'extractEvents$1',
      'startHostTransition',
      'TransitionAwareHostComponent',
      'mountActionState',
      'updateActionState',
      'rerenderActionState',
      'ensureFormComponentIsStateful',
      'requestFormReset',
      'requestFormReset$1',
      // Hooks that nothing here uses
      'startTransition',
      'mountDeferredValueImpl',
      'updateDeferredValueImpl',
      'dispatchReducerAction',
      'refreshCache',
      'useMemoCache',
      // onSelect
      'constructSelectEvent',
      // Names of components, for the console
      'getStackByFiberInDevAndProd',
      'getComponentNameFromType',
      // Old ways of components that are classes
      'callComponentWillReceiveProps',
      // Portals
      'hideOrUnhideNearestPortals',
      // Pages that wait for pictures
      'preloadInstanceAndSuspendIfNeeded',
      'suspendInstance',
      'estimateBandwidth',
      // Hydration and loading at the product's wish
      'attemptExplicitHydrationTarget',
      'defaultOnDefaultTransitionIndicator',
      'prefetchDNS',
      'preconnect',
      'preload',
      'preloadModule',
      'preinitScript',
      'preinitStyle',
      'preinitModuleScript',
    ],
    conditions: {
      canUseDOM: true,
      // Old browsers, onComposition..., onBeforeInput
      isInputEventSupported: true,
      handleEventFunc: false,
      canUseCompositionEvent: false,
      isComposing: false,
      eventType: false,
      'fallbackData = canUseTextInputEvent ? getNativeBeforeInputChars(domEventName, nativeEvent) : getFallbackBeforeInputChars(domEventName, nativeEvent)': false,
    },
    assigned: [
      'FragmentInstance.prototype.',
      'ViewTransitionPseudoElement.prototype.',
      'ReactDOMHydrationRoot.prototype.',
      'ReactDOMSharedInternals.findDOMNode',
      'exports.createRoot',
    ],
  },
  // Every route is known from the first page: 'routeDiscovery' is 'initial'.
  [`${router}/dom/ssr/fog-of-war.js`]: {
    functions: [
      'isFogOfWarEnabled',
      'getPartialManifest',
      'getPatchRoutesOnNavigationFunction',
      'useFogOFWarDiscovery',
      'fetchAndApplyManifestPatches',
    ],
  },
  [`${router}/router/instrumentation.js`]: {
    functions: [
      'getRouteInstrumentationUpdates',
      'instrumentClientSideRouter',
      'consumeInstrumentationClientResultMetaReceiver',
    ],
  },
  // Transitions between views, server components, discovery of routes, other data strategies, advice for developers
  [`${router}/router/router.js`]: {
    functions: [
      'restoreAppliedTransitions',
      'persistAppliedTransitions',
      'discoverRoutes',
      'patchRoutes',
      '_internalSetRoutes',
      'defaultDataStrategyWithMiddleware',
    ],
    conditions: {
      isFogOfWar: false,
      'fogOfWar.active': false,
      'init.patchRoutesOnNavigation': false,
      'init.instrumentations': false,
      instrumentationResultMetaReceiver: false,
      pendingViewTransitionEnabled: false,
      priorPaths: false,
      'appliedViewTransitions.has(location.pathname)': false,
      'typeof route.lazy === "function"': false,
    },
    calls: ['warning'],
  },
  [`${router}/router/utils.js`]: { calls: ['warning'] },
  [`${router}/dom/dom.js`]: { calls: ['warning'] },
  [`${router}/dom/lib.js`]: {
    functions: ['HistoryRouter', 'NavLinkWithRef'],
    assigned: ['.displayName'],
    calls: ['warning'],
  },
  [`${router}/context.js`]: { assigned: ['.displayName'] },
  [`${router}/dom/ssr/fallback.js`]: { functions: ['RemixRootDefaultHydrateFallback'] },
  [`${router}/hooks.js`]: {
    functions: ['RSCErrorHandler', 'useNavigateUnstable', 'DefaultErrorComponent'],
    conditions: { 'this.context': false, 'dataRouterContext.static': false, 'dataRouterOpts.isStatic': false },
    calls: ['warning', 'warningOnce'],
  },
  [`${router}/components.js`]: {
    conditions: {
      '!viewTransitionOpts || !isViewTransitionAvailable': true,
      'vtContext.isTransitioning && !vtContext.flushSync': false,
      'renderDfd && pendingState && router.window': false,
      'renderDfd && pendingState && state.location.key === pendingState.location.key': false,
      '!vtContext.isTransitioning && interruption': false,
      'useTransitions === false': false,
      'useTransitions === true': false,
    },
    calls: ['warning', 'warnOnce'],
  },
  [`${router}/dom/ssr/components.js`]: {
    conditions: {
      rsc: false,
      isRSCRouterContext: false,
      isSpaMode: false,
      enableFogOfWar: false,
      'typeof manifest.sri === "object"': false,
      'typeof criticalCss === "string"': false,
      'typeof criticalCss === "object"': false,
      '!isStatic': true,
      staticContext: false,
    },
    calls: ['warnOnce'],
  },
  [`${router}/dom/ssr/routes.js`]: {
    functions: ['wrapShouldRevalidateForHdr'],
    conditions: { isSpaMode: false, needsRevalidation: false, ssr: true },
  },
  [`${router}/dom/ssr/single-fetch.js`]: { functions: ['nonSsrStrategy'] },
  [`${router}/dom-export/hydrated-router.js`]: {
    conditions: {
      'ssrInfo.context.isSpaMode': false,
      'window.__reactRouterManifest.sri === true': false,
      'window.history.state && window.history.state.masked': false,
    },
    assigned: ['router.createRoutesForHMR'],
  },
}
