import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // `vite.config.ts` lists several programs; each keeps its own name.
  serverBuildFile: '[name].js',
  // Every address is known from the first page, so that no request is needed to discover one.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
