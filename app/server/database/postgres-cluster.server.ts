/**
 * The files of one PostgreSQL cluster, and the process that serves them. A cluster is created
 * completely or not at all.
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

export type Cluster = {
  /** The folder of the cluster. It contains the data folder and the password file. */
  folder: string
  dataFolder: string
  password: string
}

/**
 * Finds the cluster in a folder, or creates it. A new cluster is created as a draft and renamed
 * when it is complete. If the process is killed, there is either a complete cluster or a draft,
 * which the next call removes.
 */
export async function openCluster(
  parentFolder: string,
  log: (message: string) => void,
): Promise<Cluster> {
  await mkdir(parentFolder, { recursive: true })
  const parent = await realpath(parentFolder)
  const folder = join(parent, 'cluster')

  if (!existsSync(folder)) {
    log('Creating the database. This happens only once.')
    await createCluster(parent, folder)
  }

  await removeDrafts(parent)

  const password = await readFile(join(folder, 'password'), 'utf8').catch((error) => {
    throw new StartError(
      `The database in ${parent} can’t be read (${error.message}). Start Learnify with the account that created it, or choose another DATA_DIR.`,
    )
  })

  return { folder, dataFolder: join(folder, 'data'), password }
}

const draftPrefix = 'cluster-draft-'

async function createCluster(parent: string, folder: string): Promise<void> {
  const draft = await mkdtemp(join(parent, draftPrefix))
  try {
    await fillCluster(draft)
    await rename(draft, folder)
    await execute('sync')
  } catch (error) {
    // If another process has created the cluster at the same time, both processes use it.
    if (!existsSync(folder)) {
      throw error
    }
  }
}

async function removeDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    // A program that a killed process has started may still write to a draft, so that it can't be
    // removed yet. The next start removes it.
    if (name.startsWith(draftPrefix)) {
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
    }
  }
}

/** If the locale were C, pg_trgm would not recognize letters beyond ASCII. */
const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
/** The statements that bring a cluster of an earlier version up to date. */
const updateStatements = `ALTER ROLE postgres PASSWORD NULL\nUPDATE pg_database SET datctype = '${ctype}' WHERE datctype = 'C'\n`
/** This file exists in a cluster after `updateStatements` were run. */
const updateMarker = 'settings-2'

/** Creates the password file, the database `learnify` and the role `learnify` that owns it. */
async function fillCluster(folder: string): Promise<void> {
  const programs = await findPostgresPrograms(folder)
  const password = randomBytes(24).toString('base64url')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const { uid, gid } = programs.options
  if (uid && gid) {
    await chown(passwordFile, uid, gid)
  }

  const fileArgs = [
    '-D',
    join(folder, 'data'),
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

  await runProgram(programs, 'initdb', {
    task: 'created',
    args: [...fileArgs, '--encoding=UTF8', ...localeArgs, '--data-checksums', '--no-instructions'],
  })
  // The role of the product is not a superuser. It has CREATEDB, because tests clone databases.
  const roles = `CREATE ROLE learnify LOGIN CREATEDB PASSWORD '${password}'\nCREATE DATABASE learnify OWNER learnify\n`
  await runAsSuperuser(folder, programs, { task: 'created', statements: roles + updateStatements })
}

/** Brings a cluster of an earlier version up to date. No server may be running. */
export async function updateCluster(
  { folder }: Cluster,
  programs: PostgresPrograms,
): Promise<void> {
  if (!existsSync(join(folder, updateMarker))) {
    await runAsSuperuser(folder, programs, { task: 'updated', statements: updateStatements })
  }
}

/** What happens to the cluster, for the message of a failure. */
type Task = 'created' | 'updated'

/**
 * Runs statements in PostgreSQL's single-user mode, which needs no password.
 *
 * @param options.statements one statement per line
 */
async function runAsSuperuser(
  folder: string,
  programs: PostgresPrograms,
  { task, statements }: { task: Task; statements: string },
): Promise<void> {
  const args = ['--single', '-D', join(folder, 'data'), '-c', 'exit_on_error=on', 'postgres']
  await runProgram(programs, 'postgres', { task, args, input: statements })
  await writeFile(join(folder, updateMarker), '', { mode: 0o600 })
}

async function runProgram(
  programs: PostgresPrograms,
  program: 'initdb' | 'postgres',
  { task, args, input = '' }: { task: Task; args: string[]; input?: string },
): Promise<void> {
  const execution = execute(...programs.command(program, args), programs.options)
  // A program that exits early closes its input. The error of the input is ignored, because the
  // exit code reports the failure.
  execution.child.stdin?.on('error', () => {}).end(input)
  await execution.catch(({ stderr, message }) => {
    throw new StartError(
      `The database couldn’t be ${task}. ${program} said: ${(stderr || message).trim().slice(-2000)}`,
    )
  })
}

type ServerProcess = {
  pid: number
  /** Null while the server starts or stops. */
  port: number | null
  /** False if the pid belongs to another program, for example after a reboot. */
  isServing: boolean
}

/** Reads the lock file of the server, `postmaster.pid`. Returns null if there is no lock file. */
export async function findServer(dataFolder: string): Promise<ServerProcess | null> {
  const lockFile = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = lockFile.split('\n')
  const pid = Number(lines[0])
  const port = lines[7]?.startsWith('ready') ? Number(lines[3]) : null

  return pid ? { pid, port, isServing: await isServing(pid, dataFolder) } : null
}

/**
 * Returns whether a process is the PostgreSQL server of this folder. The result is false for a
 * zombie process, because it has no command line.
 */
export async function isServing(pid: number, dataFolder: string): Promise<boolean> {
  const hasProcFileSystem = existsSync('/proc/self')
  if (!hasProcFileSystem) {
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
