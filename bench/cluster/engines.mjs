/**
 * A database that survives the loss of a machine, as Debian packs its parts, all on loopback of this machine: etcd, two
 * PostgreSQL 15 under Patroni with synchronous replication, HAProxy in front of the primary and of Learnify's processes,
 * and PgBouncer in transaction mode. Everything is in one temporary folder, run by an unprivileged account.
 */
import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import {
  answers,
  bouncer,
  poolerSettings,
  poolerUrl,
  poolerUsers,
  programs,
  serviceAccount,
} from '../debian-database.mjs'
import { freePort } from '../product.mjs'
import { balancerSettings, patroniSettings } from './settings.mjs'

const packages = {
  'postgresql-15': `${programs}/postgres`,
  pgbouncer: bouncer,
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
}

/** @returns what to install, or null if all is there. */
export function findMissingPackages() {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name]))
  return missing.length > 0 ? missing.join(' ') : null
}

/** @param webPorts where Learnify's processes listen. */
export async function startEngines({ webPorts }) {
  const account = serviceAccount()
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-'))
  if (account.uid) await chown(folder, account.uid, account.gid)
  const running = new Map()
  const start = (name, command, words) => {
    const log = openSync(path.join(folder, `${name}.log`), 'a')
    const child = spawn(command, words, { cwd: folder, stdio: ['ignore', log, log], ...account })
    running.set(name, child)
    return child
  }
  const write = (name, text) => writeFile(path.join(folder, name), text, { mode: 0o644 })
  const ports = { etcd: await freePort(), peer: await freePort(), database: await freePort(), front: await freePort() }
  const bouncerPort = await freePort()
  /** @type {{ name: string, port: number, rest: number, data: string }[]} */
  const nodes = []
  for (const name of ['one', 'two'])
    nodes.push({ name, port: await freePort(), rest: await freePort(), data: path.join(folder, name) })

  const [clients, peers] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`]
  const etcd = ['--data-dir', 'etcd', '--listen-client-urls', clients, '--advertise-client-urls', clients]
  etcd.push(
    '--listen-peer-urls',
    peers,
    '--initial-advertise-peer-urls',
    peers,
    '--initial-cluster',
    `default=${peers}`,
  )
  for (const node of nodes) await write(`${node.name}.yml`, patroniSettings({ node, etcdPort: ports.etcd, programs }))
  await write('haproxy.cfg', balancerSettings({ nodes, webPorts, ...ports }))
  await write('users', poolerUsers)
  await write('pgbouncer.ini', poolerSettings({ folder, port: ports.database, bouncerPort, poolSize: 20 }))

  const startNode = ({ name }) => start(name, packages.patroni, [`${name}.yml`])
  const startPooler = async () => {
    start('pgbouncer', bouncer, ['-q', 'pgbouncer.ini'])
    await answers(bouncerPort)
  }
  /** Waits until Patroni knows a primary and a standby that has all that is acknowledged: before, it would promote none. */
  const whole = async () => {
    for (let tries = 0; tries < 900; tries++) {
      const roles = (await Promise.all(nodes.map(rolesFor))).find(
        (roles) => roles.has('leader') && roles.has('sync_standby'),
      )
      const primary = nodes.find(({ name }) => name === roles?.get('leader'))
      if (primary) return primary
      await pause(100)
    }
    throw new Error(`The cluster is not whole after 90 seconds; see ${folder}.`)
  }
  const kill = async (name) => {
    const child = running.get(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  const killServer = ({ data }) => {
    const file = path.join(data, 'postmaster.pid')
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    try {
      if (pid > 1) process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  const engines = {
    folder,
    frontPort: ports.front,
    url: poolerUrl(bouncerPort),
    directUrl: `postgres://learnify@127.0.0.1:${ports.database}/learnify`,
    whole,
    other: (node) => nodes[1 - nodes.indexOf(node)],
    killServer,
    /** Patroni and PostgreSQL at once, as when a machine is gone. */
    async killMachine(node) {
      await kill(node.name)
      killServer(node)
    },
    startMachine: startNode,
    async killPooler() {
      await kill('pgbouncer')
    },
    startPooler,
    async stop() {
      for (const { name } of nodes) await kill(name)
      nodes.forEach(killServer)
      for (const name of running.keys()) await kill(name)
      await pause(500)
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    start('etcd', packages['etcd-server'], etcd)
    await answers(ports.etcd)
    nodes.forEach(startNode)
    start('haproxy', packages.haproxy, ['-db', '-f', 'haproxy.cfg'])
    const primary = await whole()
    await createDatabase(primary)
    await startPooler()
    return engines
  } catch (error) {
    await engines.stop()
    throw error
  }
}

/** What a node says of all that run: whose role each is. */
async function rolesFor({ rest }) {
  const response = await fetch(`http://127.0.0.1:${rest}/cluster`).catch(() => null)
  const { members = [] } = /** @type {{ members?: { name: string, role: string, state: string }[] }} */ (
    (await response?.json().catch(() => null)) ?? {}
  )
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return new Map(running.map(({ name, role }) => [role, name]))
}

async function createDatabase({ port }) {
  const sql = postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} })
  await sql`create role learnify login`
  await sql`create database learnify owner learnify`
  await sql.end()
}
