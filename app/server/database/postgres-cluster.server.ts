/**
 * The files of one PostgreSQL cluster: made whole or not at all, and the process that serves them.
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
/** Without it, pg_trgm knows no letters beyond ASCII. macOS has the same by another name. */
const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
/** A cluster of an earlier version lacks these. */
const settings = `ALTER ROLE postgres PASSWORD NULL\nUPDATE pg_database SET datctype = '${ctype}' WHERE datctype = 'C'\n`
const settingsMark = 'settings-2'

/**
 * Finds the cluster in `folder`, or makes it: a draft beside it that is renamed when it is complete
 * and on disk, so that a kill at any time leaves either a whole cluster or a draft, which the next
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
      // Another product that started at the same time was first, and its cluster serves both.
      if (!existsSync(home)) {
        throw error
      }
    }
  }

  for (const name of await readdir(parent)) {
    // The programs of a killed product may still write to one; the next start removes the rest.
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

  const files = [
    '-D',
    join(home, 'data'),
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ]
  const locale = [
    '--locale=C',
    `--lc-ctype=${ctype}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]

  await run(programs, 'initdb', [
    ...files,
    '--encoding=UTF8',
    ...locale,
    '--data-checksums',
    '--no-instructions',
  ])
  // The product's role is no superuser. Tests clone databases, hence CREATEDB.
  const roles = `CREATE ROLE learnify LOGIN CREATEDB PASSWORD '${password}'\nCREATE DATABASE learnify OWNER learnify\n`
  await runAsSuperuser(home, programs, roles + settings)
}

/** Upgrades the cluster of an earlier version, while no server runs. */
export async function updateSettings({ home }: Cluster, programs: PostgresPrograms): Promise<void> {
  if (!existsSync(join(home, settingsMark))) {
    await runAsSuperuser(home, programs, settings)
  }
}

/** In PostgreSQL's single-user mode, which asks for no password. @param statements one a line. */
async function runAsSuperuser(
  home: string,
  programs: PostgresPrograms,
  statements: string,
): Promise<void> {
  const args = ['--single', '-D', join(home, 'data'), '-c', 'exit_on_error=on', 'postgres']
  await run(programs, 'postgres', args, statements)
  await writeFile(join(home, settingsMark), '', { mode: 0o600 })
}

async function run(
  programs: PostgresPrograms,
  program: 'initdb' | 'postgres',
  args: string[],
  input = '',
) {
  const running = execute(...programs.command(program, args), programs.options)
  // A program that ends early closes its input; its exit code tells.
  running.child.stdin?.on('error', () => {}).end(input)
  await running.catch(({ stderr, message }) => {
    throw new StartError(
      `The database couldn’t be created. ${program} said: ${(stderr || message).trim().slice(-2000)}`,
    )
  })
}

/**
 * The contents of `postmaster.pid`. `isServing`: the process is alive and is the server of this
 * folder; after a reboot its pid may belong to another program. `port` is null while the server
 * starts or stops.
 */
export async function findServer(dataFolder: string) {
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )
  const pid = Number(lines[0])
  const port = lines[7]?.startsWith('ready') ? Number(lines[3]) : null

  return pid ? { pid, port, isServing: await isServing(pid, dataFolder) } : null
}

/**
 * True if this process is the PostgreSQL of this folder. False for a zombie, which has no command
 * line.
 */
export async function isServing(pid: number, dataFolder: string): Promise<boolean> {
  if (!existsSync('/proc/self')) {
    const found = await execute('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
      () => null,
    )
    return found?.stdout.includes(` -D ${dataFolder} `) ?? false
  }

  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!argv.some((argument) => argument.endsWith('/postgres'))) {
    return false
  }

  // The current folder follows when the checkout is moved under a running server.
  return (
    argv.includes(dataFolder) || (await realpath(`/proc/${pid}/cwd`).catch(() => '')) === dataFolder
  )
}
