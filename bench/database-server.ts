/** A PostgreSQL server as Debian packs it: on loopback, in a temporary folder. */
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

export async function startDatabaseServer() {
  const account = findServiceAccount()
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-server-'))
  if (account.uid && account.gid) {
    await chown(folder, account.uid, account.gid)
  }

  const data = path.join(folder, 'data')
  const port = await findFreePort()
  const connectionOptions = ['-h', '127.0.0.1', '-p', String(port), '-U', 'learnify']
  const runPgCtl = (...words: string[]) =>
    runProgram(
      `${postgresProgramFolder}/pg_ctl`,
      ['-D', data, '-w', '-l', `${folder}/log`, ...words],
      account,
    )
  const start = () =>
    runPgCtl(
      '-o',
      `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`,
      'start',
    )

  const clusterOptions = ['-U', 'learnify', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await runProgram(`${postgresProgramFolder}/initdb`, ['-D', data, ...clusterOptions], account)
  await start()
  await runProgram(`${postgresProgramFolder}/createdb`, [...connectionOptions, 'learnify'], account)

  return {
    url: `postgres://learnify@127.0.0.1:${port}/learnify`,
    start,
    /** At once, as when its machine is gone. */
    stopImmediately: () => runPgCtl('-m', 'immediate', 'stop'),
    async stop() {
      await runPgCtl('-m', 'immediate', 'stop').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
export function findServiceAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) {
    return {}
  }

  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Its output is ignored: a server that it leaves running would hold a pipe open. */
export async function runProgram(
  command: string,
  words: string[],
  options: SpawnOptions,
): Promise<void> {
  const child = spawn(command, words, { cwd: '/', stdio: 'ignore', ...options })
  const status = await new Promise((resolve) => child.once('exit', resolve))
  if (status !== 0) {
    throw new Error(`${path.basename(command)} ${words.at(-1)} ended with status ${status}.`)
  }
}

/**
 * A file of docs/examples with ports and folders of this run, so that the operators' own examples
 * are tested.
 */
export function readExampleFile(name: string, changes: [from: string, to: string][]): string {
  let text = readFileSync(path.resolve(import.meta.dirname, '../docs/examples', name), 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) {
      throw new Error(`docs/examples/${name} no longer has '${from}'.`)
    }

    text = text.replaceAll(from, to)
  }

  return text
}
