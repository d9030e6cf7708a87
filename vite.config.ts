import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** Programs that `scripts/` run from `build/server/`: the product itself and the operator's commands. */
const programs = {
  main: './app/server/main.server.ts',
  content: './app/server/content/content-command.server.ts',
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), reactRouter()],
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  build: {
    target: isSsrBuild ? 'node20' : 'baseline-widely-available',
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild ? { input: programs } : {},
  },
}))
