import path from 'node:path'
import { watch } from 'chokidar'
import { env } from '../env.server'
import { loadContent } from './content-loader.server'

/** Several files are often saved at once, and a save is several events. */
const settleMs = 100

type Parts = {
  folder?: string
  load?(): Promise<unknown>
  /** Tells the author a sentence or several. */
  say?(text: string): void
}

/**
 * In development every save below the content folder is loaded: a rename over the old file, a new or moved folder, a
 * deletion. A broken save is told and changes nothing; whatever goes wrong, the watch goes on.
 *
 * @returns what ends it, once a load under way is over.
 */
export async function watchContent(parts: Parts = {}): Promise<() => Promise<void>> {
  const { folder = env.CONTENT_DIR, load = loadContent, say = (text) => process.stderr.write(`${text}\n`) } = parts
  const watcher = watch(folder, {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    ignored: (file) => isTemporary(path.relative(folder, file)),
  })
  const loads = new LoadQueue(async () => {
    const sentence = await load().then(
      () => 'The content is up to date.',
      (error: Error) => error.message,
    )
    say(sentence)
  })
  watcher.on('all', () => loads.ask())
  watcher.on('error', (error) => say(`A change of the content may have been missed: ${(error as Error).message}`))
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
  return async () => {
    await watcher.close()
    await loads.end()
  }
}

/** What editors and systems write beside a file while it is open. */
function isTemporary(file: string): boolean {
  return file.split(path.sep).some((name) => /^(\.(?!\.?$)|#|4913$)|(~|\.(swp|swx|tmp|part|bak))$/.test(name))
}

/** One load at a time; what changes meanwhile is loaded once more. */
class LoadQueue {
  #timer: NodeJS.Timeout | undefined
  #loading: Promise<void> = Promise.resolve()

  constructor(private load: () => Promise<void>) {}

  ask(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#loading = this.#loading.then(this.load)
    }, settleMs)
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#loading
  }
}
