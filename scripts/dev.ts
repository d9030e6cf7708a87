/** `npm run dev`: the product with pages that change as their source does. */
import path from 'node:path'
import { createServer } from 'vite'

process.chdir(path.resolve(import.meta.dirname, '..'))
process.env.NODE_ENV ??= 'development'
const vite = await createServer({ server: { middlewareMode: true } })
// React Router compiles in Vite servers of its own, which end the process at once, and leave its
// database running.
process.removeAllListeners('SIGTERM')
process.stdin.removeAllListeners('end')
const { run } = await vite.ssrLoadModule('./app/program.server.ts')
await run({
  middleware: vite.middlewares,
  loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build'),
  close: () => vite.close(),
})
