/** `npm run dev`: runs the product and shows changes of the source at once. */
import path from 'node:path'
import { createServer } from 'vite'

process.chdir(path.resolve(import.meta.dirname, '..'))
process.env.NODE_ENV ??= 'development'

const vite = await createServer({ server: { middlewareMode: true } })
// Vite's own handlers would end the process at once and leave the database running.
process.removeAllListeners('SIGTERM')
process.stdin.removeAllListeners('end')

const { run } = await vite.ssrLoadModule('./app/program.server.ts')
await run({
  middleware: vite.middlewares,
  loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build'),
  close: () => vite.close(),
})
