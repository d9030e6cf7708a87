/**
 * `node bench/failover.ts`: three processes of Learnify behind HAProxy, on two PostgreSQL with
 * synchronous replication under Patroni and etcd, behind PgBouncer, all on this machine's loopback
 * as Debian packs them. 200 learners are at work while the primary's server, its machine, the
 * standby, a process and the pooler are killed (-9) in turn. Prints the seconds without writes, and
 * ends with status 1 if an acknowledged write is lost or doubled, or if writes stop for longer than
 * a minute.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  connectDatabase,
  findFreePort,
  type Product,
  startProduct,
} from '../tests/support/product.ts'
import {
  findServiceAccount,
  missingPackages,
  postgresProgramFolder,
  readExampleFile,
} from './database-server.ts'
import { exitWithProblems, requirePackages } from './figures.ts'
import { addSignedInLearners, allowExam } from './learners.ts'
import { isListening, waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

type Node = { name: string; port: number; restPort: number; data: string }

const commands = {
  pgbouncer: '/usr/sbin/pgbouncer',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
}
requirePackages([
  ...missingPackages,
  ...Object.entries(commands).flatMap(([name, file]) => (existsSync(file) ? [] : name)),
])
const maxSecondsWithoutWrite = 60
const learnerCount = 200

const account = findServiceAccount()
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-'))
if (account.uid && account.gid) {
  await chown(folder, account.uid, account.gid)
}

const dataFolder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-data-'))
const ports = {
  etcd: await findFreePort(),
  etcdPeers: await findFreePort(),
  database: await findFreePort(),
  pooler: await findFreePort(),
  front: await findFreePort(),
}
const webPorts = [await findFreePort(), await findFreePort(), await findFreePort()]
const nodes: Node[] = []
for (const name of ['one', 'two']) {
  nodes.push({
    name,
    port: await findFreePort(),
    restPort: await findFreePort(),
    data: path.join(folder, name),
  })
}

const running = new Map<string, ChildProcess>()
const products = new Map<number, Product>()
const rows: object[] = []
const problems: string[] = []

try {
  await startCluster()
  // One after the other: the first one builds.
  for (const port of webPorts) {
    await startProcess(port)
  }

  await killPartsInTurn()
} catch (error) {
  problems.push(String(error))
} finally {
  for (const product of products.values()) {
    await product.stop('SIGKILL')
  }

  for (const node of nodes) {
    await killMachine(node)
  }

  for (const name of running.keys()) {
    await kill(name)
  }

  for (const place of [folder, dataFolder]) {
    await rm(place, { recursive: true, force: true })
  }
}

console.table(rows)
exitWithProblems(problems)

async function startCluster(): Promise<void> {
  for (const node of nodes) {
    await writeFile(path.join(folder, `${node.name}.yml`), patroniSettings(node))
  }

  await writeFile(path.join(folder, 'haproxy.cfg'), balancerSettings())
  await writeFile(path.join(folder, 'users'), '"learnify" "only-loopback"\n')
  const pooler = readExampleFile('pgbouncer.ini', [
    ['port=5432', `port=${ports.database}`],
    ['listen_port = 6432', `listen_port = ${ports.pooler}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', `${folder}/users`],
  ])

  await writeFile(path.join(folder, 'pgbouncer.ini'), pooler)

  const [clients, peers] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.etcdPeers}`]
  const addresses = {
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
  }
  const options = {
    ...addresses,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
  }
  const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
  start('etcd', commands['etcd-server'], ['--data-dir', 'etcd', ...words])
  for (const node of nodes) {
    startMachine(node)
  }

  start('haproxy', commands.haproxy, ['-db', '-f', 'haproxy.cfg'])
  const { port } = await waitForCompleteCluster()
  const database = await connectDatabase({ url: `postgres://postgres@127.0.0.1:${port}/postgres` })
  await database.query('create role learnify login')
  await database.query('create database learnify owner learnify')
  await database.end()
  startPooler()
  await waitUntil('the pooler', 10, () => isListening(ports.pooler))
}

async function startProcess(port: number): Promise<void> {
  const variables = {
    PUBLIC_URL: `http://localhost:${ports.front}`,
    TRUST_PROXY: 'loopback',
    DATABASE_URL: `postgres://learnify:only-loopback@127.0.0.1:${ports.pooler}/learnify`,
    DATABASE_DIRECT_URL: `postgres://learnify@127.0.0.1:${ports.database}/learnify`,
  }
  const product = await startProduct({ folder: dataFolder, port, variables })
  products.set(port, product)
  await waitUntil('readiness', 60, async () => (await fetch(`${product.url}/readyz`)).ok)
}

async function killPartsInTurn(): Promise<void> {
  const publicUrl = `http://localhost:${ports.front}`
  const workload = new Workload(publicUrl)
  const database = await connectDatabase({
    url: `postgres://learnify@127.0.0.1:${ports.database}/learnify`,
  })
  const place = { count: learnerCount, folder: dataFolder, publicUrl }
  const { learners, signVisit } = await addSignedInLearners(database, place)
  await allowExam(database, learners)
  await database.end()
  workload.start({
    watching: learners.slice(0, 160),
    taking: learners.slice(160),
    readers: 25,
    newcomers: 5,
    signVisit,
    everyMs: 1_000,
  })

  const phase = async (killed: string, event: () => unknown, after?: () => unknown) => {
    workload.readAndResetFigures()
    await event()
    await pause(5_000)
    await waitUntil('writes', 2 * maxSecondsWithoutWrite, () => workload.writeCount > 100)
    await after?.()
    const { secondsWithoutWrite, written } = workload.readAndResetFigures()
    rows.push({ killed, secondsWithoutWrite, written })
    if (secondsWithoutWrite > maxSecondsWithoutWrite) {
      problems.push(`${killed}: no write for ${secondsWithoutWrite} s`)
    }
  }

  await pause(15_000)
  await phase('nothing, for comparison', () => pause(5_000))
  await phase(
    'PostgreSQL of the primary',
    async () => killServer(await waitForCompleteCluster()),
    waitForCompleteCluster,
  )
  const primary = await waitForCompleteCluster()
  await phase('the primary’s machine', () => killMachine(primary))
  await phase('(it comes back as standby)', () => startMachine(primary), waitForCompleteCluster)
  const standby = nodes[1 - nodes.indexOf(await waitForCompleteCluster())] as Node
  await phase('the standby’s machine', () => killMachine(standby))
  await phase('(it comes back)', () => startMachine(standby), waitForCompleteCluster)
  await phase('one of three processes', async () => {
    const port = webPorts[1] as number
    await products.get(port)?.stop('SIGKILL')
    await startProcess(port)
  })

  await phase('PgBouncer, started again after 2 s', async () => {
    await kill('pgbouncer')
    await pause(2_000)
    startPooler()
  })

  await workload.stop()

  const afterwards = await connectDatabase({
    url: `postgres://learnify@127.0.0.1:${ports.database}/learnify`,
  })
  problems.push(...(await workload.ledger.listProblems(afterwards)))
  await afterwards.end()
  const wrong = workload.failures.filter((failure) => /: (4\d\d|50[0124-9]) /.test(failure))
  problems.push(...wrong)
  console.log(`${workload.ledger.count()} acknowledged facts looked for`)
}

function start(name: string, command: string, words: string[]): void {
  const log = openSync(path.join(folder, `${name}.log`), 'a')
  running.set(name, spawn(command, words, { cwd: folder, stdio: ['ignore', log, log], ...account }))
}

function startMachine({ name }: Node): void {
  start(name, commands.patroni, [`${name}.yml`])
}

function startPooler(): void {
  start('pgbouncer', commands.pgbouncer, ['-q', 'pgbouncer.ini'])
}

async function kill(name: string): Promise<void> {
  const child = running.get(name)
  if (!child || child.exitCode !== null || child.signalCode !== null) {
    return
  }

  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Patroni and PostgreSQL at once, as when a machine is gone. */
async function killMachine(node: Node): Promise<void> {
  await kill(node.name)
  killServer(node)
}

function killServer({ data }: Node): void {
  const file = path.join(data, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  try {
    if (pid > 1) {
      process.kill(pid, 'SIGKILL')
    }
  } catch {
    // It has ended already.
  }
}

/**
 * Waits until Patroni knows a primary and a standby that has all that is acknowledged.
 *
 * @returns the primary.
 */
async function waitForCompleteCluster(): Promise<Node> {
  let primary: Node | undefined
  await waitUntil('the cluster is whole', 90, async () => {
    const roles = await readRoles(nodes[0] as Node).catch(() =>
      readRoles(nodes[1] as Node).catch(() => new Map()),
    )
    primary = roles.has('sync_standby')
      ? nodes.find(({ name }) => name === roles.get('leader'))
      : undefined
    return primary !== undefined
  })

  return primary as Node
}

/** Whose each role is, by what a node says of all that run. */
async function readRoles({ restPort }: Node): Promise<Map<string, string>> {
  const { members } = await (await fetch(`http://127.0.0.1:${restPort}/cluster`)).json()
  const live = members.filter(({ state }: { state: string }) =>
    ['running', 'streaming'].includes(state),
  )
  return new Map(live.map(({ name, role }: { name: string; role: string }) => [role, name]))
}

function patroniSettings({ name, port, restPort, data }: Node): string {
  return readExampleFile('patroni.yml', [
    ['name: one', `name: ${name}`],
    ['127.0.0.1:8008', `127.0.0.1:${restPort}`],
    ['127.0.0.1:2379', `127.0.0.1:${ports.etcd}`],
    ['127.0.0.1:5432', `127.0.0.1:${port}`],
    ['/var/lib/postgresql/15/learnify', data],
    ['/usr/lib/postgresql/15/bin', postgresProgramFolder],
    [
      '/var/lib/postgresql/.pgpass-learnify',
      `${data}.pgpass\n  parameters: { unix_socket_directories: '' }`,
    ],
  ])
}

function balancerSettings(): string {
  const former = [
    ['127.0.0.1:5432 check port 8008', '127.0.0.1:5433 check port 8009'],
    ['127.0.0.1:3000', '127.0.0.1:3001', '127.0.0.1:3002'],
  ]
  const servers = nodes.map(({ port, restPort }) => `127.0.0.1:${port} check port ${restPort}`)
  const processes = webPorts.map((port) => `127.0.0.1:${port}`)
  const pairs = [...servers, ...processes].map((to, place): [string, string] => [
    former.flat()[place] ?? '',
    to,
  ])
  const fronts: [string, string][] = [
    ['127.0.0.1:5000', `127.0.0.1:${ports.database}`],
    ['127.0.0.1:8080', `127.0.0.1:${ports.front}`],
  ]

  return readExampleFile('haproxy.cfg', [...pairs, ...fronts])
}
