/**
 * The files of one PostgreSQL cluster, and the process that serves them. A cluster is created completely
 * or not at all.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../env.server'
import { execute, findPostgresPrograms, type PostgresPrograms } from './postgres-programs.server'

export type Cluster = { home: string; dataFolder: string; password: string }

const draftPrefix = 'cluster-draft-'
/** With the locale C, pg_trgm would not recognize letters beyond ASCII. */
const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
/** The statements that bring a cluster of an earlier version up to date. */
const updateStatements = `ALTER ROLE postgres PASSWORD NULL\nUPDATE pg_database SET datctype = '${ctype}' WHERE datctype = 'C'\n`
/** This file exists in a cluster after `updateStatements` were run. */
const updateMarker = 'settings-2'

/**
 * Finds the cluster in `folder`, or creates it. A new cluster is created as a draft and renamed when it
 * is complete. If the process is killed, there is either a complete cluster or a draft, which the next
 * call removes.
 */
export async function openCluster(
  folder: string,
  log: (message: string) => void,
): Promise<Cluster> {
  await mkdir(folder, { recursive: true })
  const parent = await realpath(folder)
  const home = join(parent, 'cluster')
  if (!existsSync(home)) {
    log('Creating the database. This happens only once.')
    const draft = await mkdtemp(join(parent, draftPrefix))
    try {
      await fillCluster(draft)
      await rename(draft, home)
      await execute('sync')
    } catch (error) {
      // Another product has created the cluster at the same time. Both products use it.
      if (!existsSync(home)) {
        throw error
      }
    }
  }

  for (const name of await readdir(parent)) {
    // A program that a killed product has started may still write to a draft, so that it can't be
    // removed yet. The next start removes it.
    if (name.startsWith(draftPrefix)) {
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
    }
  }

  const password = await readFile(join(home, 'password'), 'utf8').catch((error) => {
    throw new StartError(
      `The database in ${parent} can’t be read (${error.message}). Start Learnify with the account that created it, or choose another DATA_DIR.`,
    )
  })

  return { home, dataFolder: join(home, 'data'), password }
}

async function fillCluster(home: string): Promise<void> {
  const programs = await findPostgresPrograms(home)
  const password = randomBytes(24).toString('base64url')
  const passwordFile = join(home, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const { uid, gid } = programs.options
  if (uid && gid) {
    await chown(passwordFile, uid, gid)
  }

  const fileArgs = [
    '-D',
    join(home, 'data'),
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ]
  const localeArgs = [
    '--locale=C',
    `--lc-ctype=${ctype}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]

  await run(programs, 'initdb', [
    ...fileArgs,
    '--encoding=UTF8',
    ...localeArgs,
    '--data-checksums',
    '--no-instructions',
  ])
  // The role of the product is not a superuser. It has CREATEDB, because tests clone databases.
  const roles = `CREATE ROLE learnify LOGIN CREATEDB PASSWORD '${password}'\nCREATE DATABASE learnify OWNER learnify\n`
  await runAsSuperuser(home, programs, roles + updateStatements)
}

/** Brings a cluster of an earlier version up to date. No server may be running. */
export async function updateSettings({ home }: Cluster, programs: PostgresPrograms): Promise<void> {
  if (!existsSync(join(home, updateMarker))) {
    await runAsSuperuser(home, programs, updateStatements)
  }
}

/**
 * Runs statements in PostgreSQL's single-user mode, which needs no password.
 *
 * @param statements one statement per line
 */
async function runAsSuperuser(
  home: string,
  programs: PostgresPrograms,
  statements: string,
): Promise<void> {
  const args = ['--single', '-D', join(home, 'data'), '-c', 'exit_on_error=on', 'postgres']
  await run(programs, 'postgres', args, statements)
  await writeFile(join(home, updateMarker), '', { mode: 0o600 })
}

async function run(
  programs: PostgresPrograms,
  program: 'initdb' | 'postgres',
  args: string[],
  input = '',
) {
  const execution = execute(...programs.command(program, args), programs.options)
  // A program that exits early closes its input. The error of the input is ignored, because the exit
  // code reports the failure.
  execution.child.stdin?.on('error', () => {}).end(input)
  await execution.catch(({ stderr, message }) => {
    throw new StartError(
      `The database couldn’t be created. ${program} said: ${(stderr || message).trim().slice(-2000)}`,
    )
  })
}

/**
 * Reads the lock file of the server, `postmaster.pid`.
 *
 * @returns null without a lock file. `isServing` is false if the pid belongs to another program, for
 * example after a reboot. `port` is null while the server starts or stops.
 */
export async function findServer(dataFolder: string) {
  const lockFile = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = lockFile.split('\n')
  const pid = Number(lines[0])
  const port = lines[7]?.startsWith('ready') ? Number(lines[3]) : null

  return pid ? { pid, port, isServing: await isServing(pid, dataFolder) } : null
}

/**
 * Returns whether a process is the PostgreSQL server of this folder. It is false for a zombie, which has
 * no command line.
 */
export async function isServing(pid: number, dataFolder: string): Promise<boolean> {
  if (!existsSync('/proc/self')) {
    const result = await execute('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
      () => null,
    )
    return result?.stdout.includes(` -D ${dataFolder} `) ?? false
  }

  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!argv.some((argument) => argument.endsWith('/postgres'))) {
    return false
  }

  if (argv.includes(dataFolder)) {
    return true
  }

  // If the checkout was moved while the server runs, only the current folder has the new path.
  const currentFolder = await realpath(`/proc/${pid}/cwd`).catch(() => '')
  return currentFolder === dataFolder
}
