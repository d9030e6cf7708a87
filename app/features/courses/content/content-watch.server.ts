import path from 'node:path'
import { watch } from 'chokidar'
import { env } from '~/server/env.server'
import type { Result } from '~/server/result'
import { isSystemPath } from './content-reader.server'

/** Several files are often saved at once, and one save causes several events. */
const quietMs = 100

type WatchOptions = {
  folder?: string
  /** Loads the content. A failure is shown to the author. */
  load(): Promise<Result>
  showMessage?(message: string): void
}

/**
 * Loads the content after each change in its folder, for development. Changes are saves by renaming
 * a new file over the old one, new and moved folders, and deletions. No error ends the watch.
 *
 * @returns a function that ends the watch, after the current load
 */
export async function watchContent({
  folder = env.CONTENT_DIR,
  load,
  showMessage = (message) => process.stderr.write(`${message}\n`),
}: WatchOptions): Promise<() => Promise<void>> {
  // The parent is watched, so that the folder itself may be moved away and come back.
  const parent = path.dirname(folder)
  const watcher = watch(parent, {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    ignored: (file) => path.resolve(file) !== parent && isSystemPath(path.relative(folder, file)),
  })

  const loadAndShow = async () => {
    try {
      const result = await load()
      showMessage(result.ok ? 'The content is up to date.' : result.problem)
    } catch (error) {
      showMessage((error as Error).message)
    }
  }

  let timer: NodeJS.Timeout | undefined
  let currentLoad = Promise.resolve()
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Loads run one after the other. A change during a load is picked up by the next one.
      currentLoad = currentLoad.then(loadAndShow)
    }, quietMs)
  })
  watcher.on('error', (error) =>
    showMessage(`A content change may have been missed: ${(error as Error).message}`),
  )
  await new Promise<void>((resolve) => watcher.once('ready', resolve))

  return async () => {
    await watcher.close()
    clearTimeout(timer)
    await currentLoad
  }
}
