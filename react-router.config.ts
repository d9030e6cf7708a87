import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // `vite.config.ts` lists several programs. The file of each program has its name.
  serverBuildFile: '[name].js',
  // A page contains only the routes that it links to. So the desk's routes add nothing to public pages.
  routeDiscovery: { mode: 'lazy' },
} satisfies Config
