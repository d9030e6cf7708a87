import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { unbundled } from './scripts/unbundled.mjs'

/** Programs that `scripts/` run from `build/server/`: the product itself and the operator's commands. */
const programs = {
  main: './app/program.server.ts',
  content: './app/content-command.server.ts',
  admin: './app/admin-command.server.ts',
  mail: './app/server/mail-command.server.ts',
  maintenance: './app/maintenance-command.server.ts',
  settings: './app/server/settings/settings-command.server.ts',
  backup: './app/server/backup/backup-command.server.ts',
  restore: './app/server/backup/restore-command.server.ts',
  export: './app/server/backup/export-command.server.ts',
  disk: './app/server/backup/disk-command.server.ts',
}

/** Vite's 'baseline-widely-available', spelt out because, for the styles, it has to be the same list for browser and server. */
const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4', 'ios16.4']

/** Small files that many pages share travel as one: on a slow line every request costs more than its bytes. */
const sharedChunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 4 },
  // All that the frame around every page needs.
  { name: 'shell', test: /\/app\/(root|entry\.client)\.tsx/, priority: 3 },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 2 },
  {
    name: 'shared',
    test: /\/app\/(?!features\/learning\/profile|features\/accounts\/form|ui\/field)/,
    minShareCount: 6,
    priority: 1,
  },
]

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const staticIcons = { find: /^\.\.?\/createLucideIcon\.mjs$/, replacement: fileOf('./app/ui/static-icon.ts') }

export default defineConfig(({ command }) => ({
  // `.env` is the operator's: only the server reads it.
  envDir: false,
  plugins: [tailwindcss(), reactRouter()],
  resolve: { alias: [{ find: '~', replacement: fileOf('./app') }, ...(command === 'build' ? [staticIcons] : [])] },
  // The same styles for both: otherwise the server names a style sheet that the browser's build does not have.
  build: { target: browsers, cssTarget: browsers, assetsInlineLimit: 0 },
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    ssr: {
      build: { target: 'node20', rollupOptions: { input: programs } },
      ...(command === 'build' && {
        resolve: { noExternal: true, external: unbundled },
        // Vite leaves this to the server's start, and with it two builds of React.
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))
