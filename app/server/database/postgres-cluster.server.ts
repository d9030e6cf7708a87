/** The files of one PostgreSQL cluster: made whole or not at all, and the process that serves them. */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { StartError } from '../env.server'
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.server'

export type Cluster = { home: string; dataFolder: string; password: string }

const draftPrefix = 'cluster-draft-'
/** Nobody signs in without a password; who has the files can still use PostgreSQL's single-user mode. */
const closeSuperuser = 'ALTER ROLE postgres PASSWORD NULL'
const superuserClosed = 'superuser-has-no-password'

/**
 * Finds the cluster in `folder`, or makes it: a draft beside it that is renamed when it is complete and on disk, so that
 * a kill at any moment leaves either a whole cluster or a draft, which the next call removes.
 */
export async function openCluster(folder: string, log: (message: string) => void): Promise<Cluster> {
  await mkdir(folder, { recursive: true })
  const parent = await realpath(folder)
  const home = join(parent, 'cluster')
  if (!existsSync(home)) {
    log('Creating the database. This happens only once.')
    await makeCluster(parent, home)
  }
  for (const name of await readdir(parent)) if (name.startsWith(draftPrefix)) await discard(join(parent, name))
  const password = await readFile(join(home, 'password'), 'utf8').catch((error) => {
    throw new StartError(
      `The database in ${parent} can’t be read (${error.message}). Start Learnify with the account that created it, or choose another DATA_DIR.`,
    )
  })
  return { home, dataFolder: join(home, 'data'), password }
}

async function makeCluster(parent: string, home: string): Promise<void> {
  const draft = await mkdtemp(join(parent, draftPrefix))
  try {
    await fillCluster(draft, await findPostgresPrograms(draft))
    await rename(draft, home)
    await sync(parent)
  } catch (error) {
    await discard(draft)
    // Another product that started at the same moment was first, and its cluster serves both.
    if (!existsSync(home)) throw error
  }
}

async function fillCluster(home: string, programs: PostgresPrograms): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  const passwordFile = join(home, 'password')
  const dataFolder = join(home, 'data')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (programs.owner) await chown(passwordFile, programs.owner.uid, programs.owner.gid)
  await sync(passwordFile)
  const initdb = ['-D', dataFolder, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await finish(programs, 'initdb', [...initdb, ...locale, '--data-checksums', '--no-instructions'])
  // The product's role is no superuser, and the superuser's password is gone. Tests clone databases, hence CREATEDB.
  await finish(
    programs,
    'postgres',
    ['--single', '-D', dataFolder, '-c', 'exit_on_error=on', 'postgres'],
    `CREATE ROLE learnify LOGIN CREATEDB PASSWORD '${password}'\nCREATE DATABASE learnify OWNER learnify\n${closeSuperuser}\n`,
  )
  await writeFile(join(home, superuserClosed), '', { mode: 0o600 })
  await sync(home)
}

/** In a cluster of a former version the superuser has the product's password; `address` is that server's. */
export async function closeFormerSuperuser({ home, password }: Cluster, address: string): Promise<void> {
  if (existsSync(join(home, superuserClosed))) return
  const url = new URL(`${address}/postgres`)
  Object.assign(url, { username: 'postgres', password })
  const superuser = postgres(url.href, { max: 1, fetch_types: false, connect_timeout: 10, onnotice: () => {} })
  try {
    await superuser.unsafe(closeSuperuser)
  } catch (error) {
    // Another product that started at the same moment was first.
    if (!(error instanceof postgres.PostgresError && error.code === '28P01')) throw error
  } finally {
    await superuser.end({ timeout: 1 })
  }
  await writeFile(join(home, superuserClosed), '', { mode: 0o600 })
}

function finish(programs: PostgresPrograms, program: 'initdb' | 'postgres', args: string[], input = ''): Promise<void> {
  const child = programs.spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  // A program that ends early closes its input; its exit code tells.
  child.stdin?.on('error', () => {}).end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new StartError(`The database couldn’t be created. ${program} said: ${complaint.trim()}`))
    })
  })
}

async function sync(path: string): Promise<void> {
  const file = await open(path)
  await file.sync()
  await file.close()
}

/** A draft may still be written to by the programs of a killed product; what they leave, the next start removes. */
async function discard(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}

/**
 * What `postmaster.pid` says. `serving` is whether that process lives and is the server of this very folder: after a
 * reboot its pid may belong to anything. `port` is null while the server takes no sessions: not yet, or no more.
 */
export async function findPostmaster(dataFolder: string) {
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!pid) return null
  return {
    pid,
    port: lines[7]?.startsWith('ready') ? Number(lines[3]) : null,
    serving: await isServing(pid, dataFolder),
  }
}

/** Whether this process is the PostgreSQL of this folder. A zombie has no command line, so it is none. */
export async function isServing(pid: number, dataFolder: string): Promise<boolean> {
  if (!existsSync('/proc/self')) return (await commandLine(pid)).includes(` -D ${dataFolder} `)
  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!argv.some((argument) => argument.endsWith('/postgres'))) return false
  // The current folder follows when the checkout is moved under a running server.
  return argv.includes(dataFolder) || (await realpath(`/proc/${pid}/cwd`).catch(() => '')) === dataFolder
}

function commandLine(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (_error, output) => resolve(output))
  })
}
