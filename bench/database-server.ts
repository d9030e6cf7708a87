/**
 * Starts a PostgreSQL server of Debian's package on the loopback interface, in a temporary folder.
 */
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '../tests/support/product.ts'

const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
export const postgresProgramFolder = `/usr/lib/postgresql/${versions.at(-1)}/bin`
export const missingPackages = existsSync(`${postgresProgramFolder}/postgres`) ? [] : ['postgresql']

export type DatabaseServer = Awaited<ReturnType<typeof startDatabaseServer>>

/** Creates a cluster with an empty database, and starts its server. */
export async function startDatabaseServer() {
  const account = findServiceAccount()
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-server-'))
  if (account.uid && account.gid) {
    await chown(folder, account.uid, account.gid)
  }

  const dataFolder = path.join(folder, 'data')
  const port = await findFreePort()

  const runPgCtl = (...args: string[]) =>
    runProgram(
      `${postgresProgramFolder}/pg_ctl`,
      ['-D', dataFolder, '-w', '-l', `${folder}/log`, ...args],
      account,
    )
  const serverOptions = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
  const start = () => runPgCtl('-o', serverOptions, 'start')

  const clusterOptions = ['-U', 'learnify', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await runProgram(
    `${postgresProgramFolder}/initdb`,
    ['-D', dataFolder, ...clusterOptions],
    account,
  )
  await start()

  const connectionOptions = ['-h', '127.0.0.1', '-p', String(port), '-U', 'learnify']
  await runProgram(`${postgresProgramFolder}/createdb`, [...connectionOptions, 'learnify'], account)

  return {
    url: `postgres://learnify@127.0.0.1:${port}/learnify`,
    start,
    /** Stops the server without a checkpoint, as if its machine had lost power. */
    stopImmediately: () => runPgCtl('-m', 'immediate', 'stop'),
    async stop() {
      await runPgCtl('-m', 'immediate', 'stop').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the user and group of the account `postgres` if this process runs as root, because
 * PostgreSQL refuses to run as root.
 */
export function findServiceAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) {
    return {}
  }

  const readId = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: readId('-u'), gid: readId('-g') }
}

/**
 * Runs a program. Its output is ignored, because a server that the program leaves running would
 * keep a pipe open.
 */
export async function runProgram(
  command: string,
  args: string[],
  options: SpawnOptions,
): Promise<void> {
  const child = spawn(command, args, { cwd: '/', stdio: 'ignore', ...options })
  const status = await new Promise((resolve) => child.once('exit', resolve))
  if (status !== 0) {
    throw new Error(`${path.basename(command)} ${args.at(-1)} ended with status ${status}.`)
  }
}

/**
 * Returns the text of a file in docs/examples, with the ports and folders of this run instead of
 * its own, so that the benchmarks test the examples that operators use.
 *
 * @throws if the file has none of a text to replace
 */
export function readExampleFile(
  name: string,
  replacements: [original: string, replacement: string][],
): string {
  let text = readFileSync(path.resolve(import.meta.dirname, '../docs/examples', name), 'utf8')
  for (const [original, replacement] of replacements) {
    if (!text.includes(original)) {
      throw new Error(`docs/examples/${name} no longer has '${original}'.`)
    }

    text = text.replaceAll(original, replacement)
  }

  return text
}
