/** PostgreSQL 15 and PgBouncer in transaction mode, as Debian packs them: on loopback, in a temporary folder. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { documented } from './documented.mjs'
import { freePort } from './product.mjs'

export const programs = '/usr/lib/postgresql/15/bin'
export const bouncer = '/usr/sbin/pgbouncer'

/** @returns what to install, or null if all is there. */
export function findMissingPackages() {
  const missing = [!existsSync(`${programs}/postgres`) && 'postgresql-15', !existsSync(bouncer) && 'pgbouncer'].filter(
    Boolean,
  )
  return missing.length > 0 ? missing.join(' ') : null
}

/**
 * @param {{ poolSize: number, variables?: Record<string, string> }} options `poolSize`: connections of PgBouncer to the server;
 *   `variables`: of the server's environment.
 */
export async function startDebianDatabase({ poolSize, variables = {} }) {
  const account = { ...serviceAccount(), env: { ...process.env, ...variables } }
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-debian-'))
  if (account.uid && account.gid) await chown(folder, account.uid, account.gid)
  const data = path.join(folder, 'data')
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: '/', stdio: 'ignore', ...account }
  const [port, bouncerPort] = [await freePort(), await freePort()]
  await run(
    `${programs}/initdb`,
    ['-D', data, '-U', 'learnify', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    account,
  )
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
  const control = (...words) => run(`${programs}/pg_ctl`, ['-D', data, '-w', '-l', `${folder}/log`, ...words], account)
  await control('-o', settings, 'start')
  await run(`${programs}/createdb`, ['-h', '127.0.0.1', '-p', String(port), '-U', 'learnify', 'learnify'], account)
  await writeFile(path.join(folder, 'users'), poolerUsers)
  await writeFile(path.join(folder, 'pgbouncer.ini'), poolerSettings({ folder, port, bouncerPort, poolSize }))
  let pooler
  const startPooler = async () => {
    pooler = spawn(bouncer, ['-q', path.join(folder, 'pgbouncer.ini')], options)
    await answers(bouncerPort)
  }
  await startPooler()
  return {
    url: poolerUrl(bouncerPort),
    directUrl: `postgres://learnify@127.0.0.1:${port}/learnify`,
    restart: () => control('-m', 'fast', 'restart'),
    /** A streaming replica of the server, on a port of its own. */
    addReplica: () => startReplica({ folder, port, account }),
    stopServer: () => control('-m', 'immediate', 'stop'),
    startServer: () => control('-o', settings, 'start'),
    async restartPooler() {
      const ended = new Promise((resolve) => pooler.once('exit', resolve))
      pooler.kill('SIGKILL')
      await ended
      await startPooler()
    },
    async stop() {
      pooler.kill('SIGKILL')
      await control('-m', 'immediate', 'stop').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The one line of PgBouncer's auth_file. */
export const poolerUsers = '"learnify" "only-loopback"\n'

export const poolerUrl = (bouncerPort) => `postgres://learnify:only-loopback@127.0.0.1:${bouncerPort}/learnify`

/** @param port of the server behind it. */
export function poolerSettings({ folder, port, bouncerPort, poolSize }) {
  return documented('pgbouncer.ini', [
    ['port=5432', `port=${port}`],
    ['listen_port = 6432', `listen_port = ${bouncerPort}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', `${folder}/users`],
    ['default_pool_size = 20', `default_pool_size = ${poolSize}`],
  ])
}

async function startReplica({ folder, port, account }) {
  const data = path.join(folder, 'replica')
  const ownPort = await freePort()
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'learnify']
  await run(`${programs}/pg_basebackup`, [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast'], account)
  const settings = `-p ${ownPort} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
  const control = (...words) =>
    run(`${programs}/pg_ctl`, ['-D', data, '-w', '-l', `${folder}/replica-log`, ...words], account)
  const start = () => control('-o', settings, 'start')
  await start()
  const pids = async () => {
    const [postmaster] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster ?? ''], { encoding: 'utf8' })
    return [postmaster, ...children.split('\n')].map(Number).filter(Boolean)
  }
  const signal = async (name) => {
    for (const pid of await pids()) process.kill(pid, name)
  }
  return {
    url: `postgres://learnify@127.0.0.1:${ownPort}/learnify`,
    start,
    stop: () => control('-m', 'immediate', 'stop'),
    halt: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
  }
}

/** PostgreSQL refuses to run as root. */
export function serviceAccount() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** What a server leaves running must not hold our output open. */
export async function run(command, words, account) {
  const child = spawn(command, words, { cwd: '/', stdio: 'ignore', ...account })
  const status = await new Promise((resolve) => child.once('exit', resolve))
  if (status !== 0) throw new Error(`${path.basename(command)} ${words.at(-1)} ended with status ${status}.`)
}

/** Waits until somebody listens. */
export async function answers(port) {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Nobody listens on port ${port}.`)
}
