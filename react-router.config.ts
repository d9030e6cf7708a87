import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // `vite.config.ts` lists several programs; each keeps its own name.
  serverBuildFile: '[name].js',
  // A page names only the routes that it links to, so that the desk adds nothing to public pages.
  routeDiscovery: { mode: 'lazy' },
} satisfies Config
