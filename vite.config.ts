import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Rolldown } from 'vite'
import { unbundledPackages } from './scripts/unbundled.ts'

/**
 * The programs in `build/server/` that `scripts/` runs: the product itself, the program that requests
 * its status, and the operator's commands.
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
 * Modules that many pages share are bundled into a few files, because on a slow connection a request
 * costs more time than the bytes of a small file. Modules that only the pages of the profile or of
 * accounts share are left out, because every visitor loads the shared files.
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
 * Reduces the memory that the server's source takes. Node.js keeps the source of every loaded function
 * in memory, and needs two bytes per character if a file has a single character beyond ISO 8859-1. So
 * comments are removed and such characters are escaped. Names and lines stay, for stack traces.
 */
const serverOutput: Rolldown.OutputOptions = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
}

export default defineConfig(({ command }) => ({
  // The file `.env` is for the operator's settings, which only the server reads.
  envDir: false,
  plugins: [tailwindcss(), reactRouter()],
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  build: { assetsInlineLimit: 0 },
  environments: {
    client: { build: { rollupOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    ssr: {
      build: { rollupOptions: { input: programs, output: serverOutput } },
      ...(command === 'build' && {
        resolve: { noExternal: true, external: unbundledPackages },
        // Vite would leave this value open until the server starts, and bundle two builds of React.
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))
