import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
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
  // The fields of sign-in, sign-up and what belongs to them; their schemas come later.
  {
    name: 'forms',
    test: /\/app\/features\/accounts\/(form|password|email-address|social|sign-in)\/(?!.*(schema|-fields\.ts))/,
    minShareCount: 2,
    priority: 0,
  },
  { name: 'field', test: /\/app\/ui\/field/, priority: 3 },
  { name: 'courses', test: /\/app\/features\/catalogue\//, minShareCount: 3, priority: 0 },
]

const fileOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const staticIcons = { find: /^\.\.?\/createLucideIcon\.mjs$/, replacement: fileOf('./app/ui/static-icon.ts') }

/** Parts of React Router that this product does not turn on; a browser would load them all the same. */
const standIns = new Map([
  ['fog-of-war.js', fileOf('./app/ui/router-discovery.ts')],
  ['instrumentation.js', fileOf('./app/ui/router-instrumentation.ts')],
])

const lighterRouter: Plugin = {
  name: 'lighter-router',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    filter: { id: /\/(fog-of-war|instrumentation)\.js$/ },
    handler: (source, importer = '') =>
      /\/react-router\/dist\/production\/(index|lib\/(dom|router)\/)/.test(importer)
        ? standIns.get(path.basename(source))
        : undefined,
  },
}

export default defineConfig(({ command }) => ({
  // `.env` is the operator's: only the server reads it.
  envDir: false,
  plugins: [lighterRouter, tailwindcss(), reactRouter()],
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
