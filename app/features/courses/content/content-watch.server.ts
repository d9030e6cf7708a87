import path from 'node:path'
import { watch } from 'chokidar'
import { env } from '~/server/env.server'
import { isSystemPath } from './content-reader.server'

/** Several files are often saved at once, and a save is several events. */
const settleMs = 100

type Parts = {
  folder?: string
  load(): Promise<void>
  /** Shows the author one or more messages. */
  say?(text: string): void
}

/**
 * In development every save below the content folder is loaded: a rename over the old file, a new
 * or moved folder, a deletion. A broken save is reported and changes nothing. No error ends the
 * watch.
 *
 * @returns stops it, after the current load.
 */
export async function watchContent(parts: Parts): Promise<() => Promise<void>> {
  const {
    folder = env.CONTENT_DIR,
    load,
    say = (text) => process.stderr.write(`${text}\n`),
  } = parts
  const parent = path.dirname(folder)
  // Watches the parent, so the folder itself may be moved away and come back.
  const watcher = watch(parent, {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    ignored: (file) => path.resolve(file) !== parent && isSystemPath(path.relative(folder, file)),
  })
  let timer: NodeJS.Timeout | undefined
  let loading = Promise.resolve()
  const loadSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // One load at a time; what changes meanwhile is loaded by the next one.
      loading = loading.then(load).then(
        () => say('The content is up to date.'),
        (error: Error) => say(error.message),
      )
    }, settleMs)
  }

  watcher.on('all', loadSoon)
  watcher.on('error', (error) =>
    say(`A content change may have been missed: ${(error as Error).message}`),
  )
  await new Promise<void>((resolve) => watcher.once('ready', resolve))

  return async () => {
    await watcher.close()
    clearTimeout(timer)
    await loading
  }
}
