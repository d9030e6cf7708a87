import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { lateScripts } from './scripts/late-scripts.mjs'
import { leaveOut } from './scripts/leave-out.mjs'
import { unbundled } from './scripts/unbundled.mjs'
import { writeUnencoded } from './scripts/unencoded-react.mjs'

/** Programs that `scripts/` run from `build/server/`: the product itself, what asks it for its state, and the operator's commands. */
const programs = {
  main: './app/program.server.ts',
  state: './app/server/learnify-state.server.ts',
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
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 6 },
  // All that the frame around every page needs.
  { name: 'shell', test: /\/app\/(root|entry\.client)\.tsx/, priority: 5 },
  // No public page shows them.
  {
    name: 'learner-icons',
    test: /lucide-react\/.*\/(arrow-(down|up)|bookmark|brain-circuit|circle-check-big|circle-question-mark|clipboard-check|cloud-off|code|flame|graduation-cap|grip-vertical|layout-dashboard|log-out|medal|settings|trophy|user-round|zap)\.mjs/,
    minShareCount: 2,
    priority: 4,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 3 },
  {
    name: 'shared',
    test: /\/app\/(?!features\/learning\/(profile|course-work)|features\/accounts\/form|ui\/(field|progress-bar))/,
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
  { name: 'field', test: /\/app\/ui\/field/, priority: 2 },
  {
    name: 'courses',
    test: /\/app\/(features\/catalogue\/(?!search)|ui\/(way-on|size-text|not-found-page))/,
    minShareCount: 2,
    priority: 0,
  },
]

const fileOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const staticIcons = { find: /^\.\.?\/createLucideIcon\.mjs$/, replacement: fileOf('./app/ui/static-icon.ts') }

const lighterReact: Plugin = {
  name: 'lighter-react',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'ssr',
  transform: { filter: { id: /react-dom-server\.node\.production\.js$/ }, handler: writeUnencoded },
}

export default defineConfig(({ command }) => ({
  // `.env` is the operator's: only the server reads it.
  envDir: false,
  plugins: [leaveOut(), lateScripts(), lighterReact, tailwindcss(), reactRouter()],
  resolve: { alias: [{ find: '~', replacement: fileOf('./app') }, ...(command === 'build' ? [staticIcons] : [])] },
  // The same styles for both: otherwise the server names a style sheet that the browser's build does not have.
  build: {
    target: browsers,
    cssTarget: browsers,
    assetsInlineLimit: 0,
    // What is loaded late names its own files: every page would have to list them before.
    modulePreload: false,
  },
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
