import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Rolldown } from 'vite'
import { unbundledPackages } from './scripts/unbundled.ts'

/**
 * Programs that `scripts/` run from `build/server/`: the product itself, what asks it for its
 * state, and the operator's commands.
 */
const programs = {
  main: './app/program.server.ts',
  state: './app/server/operations/learnify-state.server.ts',
  content: './app/cli/content-command.server.ts',
  admin: './app/cli/admin-command.server.ts',
  mail: './app/server/mail/mail-command.server.ts',
  maintenance: './app/cli/maintenance-command.server.ts',
  settings: './app/server/operations/settings/settings-command.server.ts',
  backup: './app/server/operations/backup/backup-command.server.ts',
  restore: './app/server/operations/backup/restore-command.server.ts',
  export: './app/server/operations/backup/export-command.server.ts',
  disk: './app/server/operations/backup/disk-command.server.ts',
}

/**
 * Small files that many pages share travel together: on a slow line every request costs more than
 * its bytes. Those that only the profile's or the accounts' pages share are not among them, because
 * every visitor loads the rest.
 */
const sharedChunks = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
    priority: 2,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 1 },
  {
    name: 'shared',
    test: /\/app\/(?!features\/(profile|accounts\/(?!session)))/,
    minShareCount: 6,
  },
]

/**
 * Node.js keeps the source of every loaded function in memory, with two bytes a character for a
 * file that has a single character beyond ISO 8859-1: comments go, and such characters are escaped.
 * Names and lines stay, for stack traces.
 */
const leanSource: Rolldown.OutputOptions = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
}

export default defineConfig(({ command }) => ({
  // `.env` is the operator's: only the server reads it.
  envDir: false,
  plugins: [tailwindcss(), reactRouter()],
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  build: { assetsInlineLimit: 0 },
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    ssr: {
      build: { rollupOptions: { input: programs, output: leanSource } },
      ...(command === 'build' && {
        resolve: { noExternal: true, external: unbundledPackages },
        // Vite leaves this to the server's start, and with it two builds of React.
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))
