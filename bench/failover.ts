/**
 * `node bench/failover.ts`: runs three processes of Learnify behind HAProxy, on two PostgreSQL
 * servers behind PgBouncer. Patroni and etcd replicate the servers synchronously. All programs are
 * Debian's packages, and all run on this machine's loopback interface.
 *
 * 200 learners are at work while the primary's server, its machine, the standby, a process and the
 * pooler are killed (SIGKILL) in turn. Prints the seconds without writes, and ends with status 1 if
 * an acknowledged write is lost or doubled, or if writes stop for longer than a minute.
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

/** A PostgreSQL server and its Patroni, which run on a machine of their own in a real cluster. */
type ClusterNode = {
  name: string
  port: number
  /** The port of Patroni's REST API. */
  restPort: number
  dataFolder: string
}

const programs = {
  pgbouncer: '/usr/sbin/pgbouncer',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
}
requirePackages([
  ...missingPackages,
  ...Object.entries(programs).flatMap(([name, file]) => (existsSync(file) ? [] : name)),
])
const maxSecondsWithoutWrite = 60
const learnerCount = 200

const account = findServiceAccount()
/** The folder of the cluster's settings, logs and databases. */
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-'))
if (account.uid && account.gid) {
  await chown(folder, account.uid, account.gid)
}

/** The data folder of Learnify, which all processes share. */
const productFolder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-data-'))
const ports = {
  etcd: await findFreePort(),
  etcdPeers: await findFreePort(),
  database: await findFreePort(),
  pooler: await findFreePort(),
  web: await findFreePort(),
}
const productPorts = [await findFreePort(), await findFreePort(), await findFreePort()]
const publicUrl = `http://localhost:${ports.web}`
/** HAProxy leads to the primary. */
const primaryUrl = `postgres://learnify@127.0.0.1:${ports.database}/learnify`

const nodes: ClusterNode[] = []
for (const name of ['one', 'two']) {
  nodes.push({
    name,
    port: await findFreePort(),
    restPort: await findFreePort(),
    dataFolder: path.join(folder, name),
  })
}

const processes = new Map<string, ChildProcess>()
const products = new Map<number, Product>()
const rows: { killed: string; secondsWithoutWrite: number; written: number }[] = []
const problems: string[] = []

try {
  await startCluster()
  // The processes start one after the other, because the first one builds the product.
  for (const port of productPorts) {
    await startLearnify(port)
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

  for (const name of processes.keys()) {
    await kill(name)
  }

  for (const temporaryFolder of [folder, productFolder]) {
    await rm(temporaryFolder, { recursive: true, force: true })
  }
}

console.table(rows)
exitWithProblems(problems)

/** Starts etcd, the nodes, HAProxy and the pooler, and creates the database. */
async function startCluster(): Promise<void> {
  await writeSettings()

  startEtcd()
  for (const node of nodes) {
    startMachine(node)
  }

  start('haproxy', programs.haproxy, ['-db', '-f', 'haproxy.cfg'])
  const { port } = await waitForCompleteCluster()
  const database = await connectDatabase({ url: `postgres://postgres@127.0.0.1:${port}/postgres` })
  await database.query('create role learnify login')
  await database.query('create database learnify owner learnify')
  await database.end()

  startPooler()
  await waitUntil('the pooler', 10, () => isListening(ports.pooler))
}

async function writeSettings(): Promise<void> {
  for (const node of nodes) {
    await writeFile(path.join(folder, `${node.name}.yml`), createPatroniSettings(node))
  }

  await writeFile(path.join(folder, 'haproxy.cfg'), createHaproxySettings())
  await writeFile(path.join(folder, 'users'), '"learnify" "only-loopback"\n')
  await writeFile(path.join(folder, 'pgbouncer.ini'), createPgbouncerSettings())
}

function startEtcd(): void {
  const clientUrl = `http://127.0.0.1:${ports.etcd}`
  const peerUrl = `http://127.0.0.1:${ports.etcdPeers}`
  start('etcd', programs['etcd-server'], [
    ...['--data-dir', 'etcd'],
    ...['--listen-client-urls', clientUrl],
    ...['--advertise-client-urls', clientUrl],
    ...['--listen-peer-urls', peerUrl],
    ...['--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
  ])
}

/** Starts a process of Learnify, and waits until the process is ready. */
async function startLearnify(port: number): Promise<void> {
  const variables = {
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: 'loopback',
    DATABASE_URL: `postgres://learnify:only-loopback@127.0.0.1:${ports.pooler}/learnify`,
    DATABASE_DIRECT_URL: primaryUrl,
  }
  const product = await startProduct({ folder: productFolder, port, variables })
  products.set(port, product)
  await waitUntil('readiness', 60, async () => (await fetch(`${product.url}/readyz`)).ok)
}

/** Kills one part after the other while learners are at work, and checks what was acknowledged. */
async function killPartsInTurn(): Promise<void> {
  const workload = new Workload(publicUrl)
  const database = await connectDatabase({ url: primaryUrl })
  const { learners, signVisit } = await addSignedInLearners(database, {
    count: learnerCount,
    folder: productFolder,
    publicUrl,
  })
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

  await pause(15_000)
  await measurePhase(workload, 'nothing, for comparison', () => pause(5_000))

  await measurePhase(
    workload,
    'PostgreSQL of the primary',
    async () => killServer(await waitForCompleteCluster()),
    waitForCompleteCluster,
  )
  const primary = await waitForCompleteCluster()
  await measurePhase(workload, 'the primary’s machine', () => killMachine(primary))
  await measurePhase(
    workload,
    '(it comes back as standby)',
    () => startMachine(primary),
    waitForCompleteCluster,
  )

  const newPrimary = await waitForCompleteCluster()
  const standby = nodes[1 - nodes.indexOf(newPrimary)] as ClusterNode
  await measurePhase(workload, 'the standby’s machine', () => killMachine(standby))
  await measurePhase(
    workload,
    '(it comes back)',
    () => startMachine(standby),
    waitForCompleteCluster,
  )

  await measurePhase(workload, 'one of three processes', async () => {
    const port = productPorts[1] as number
    await products.get(port)?.stop('SIGKILL')
    await startLearnify(port)
  })
  await measurePhase(workload, 'PgBouncer, started again after 2 s', async () => {
    await kill('pgbouncer')
    await pause(2_000)
    startPooler()
  })

  await workload.stop()

  const databaseAfterwards = await connectDatabase({ url: primaryUrl })
  problems.push(...(await workload.ledger.listProblems(databaseAfterwards)))
  await databaseAfterwards.end()

  // Only a 503, which asks to try again later, is a correct response without a database.
  const wrongResponses = workload.failures.filter((failure) =>
    /: (4\d\d|50[0124-9]) /.test(failure),
  )
  problems.push(...wrongResponses)
  console.log(`${workload.ledger.countAcknowledged()} acknowledged facts looked for`)
}

/**
 * Kills or starts a part, and adds a row with the writes and the longest time without a write.
 *
 * @param waitForEnd waits for the end of the phase, if writes alone don't tell it
 */
async function measurePhase(
  workload: Workload,
  killed: string,
  killOrStart: () => unknown,
  waitForEnd?: () => Promise<unknown>,
): Promise<void> {
  workload.readAndResetFigures()
  await killOrStart()
  await pause(5_000)
  await waitUntil('writes', 2 * maxSecondsWithoutWrite, () => workload.writeCount > 100)
  await waitForEnd?.()

  const { secondsWithoutWrite, written } = workload.readAndResetFigures()
  rows.push({ killed, secondsWithoutWrite, written })
  if (secondsWithoutWrite > maxSecondsWithoutWrite) {
    problems.push(`${killed}: no write for ${secondsWithoutWrite} s`)
  }
}

function start(name: string, program: string, args: string[]): void {
  const log = openSync(path.join(folder, `${name}.log`), 'a')
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log], ...account })
  processes.set(name, child)
}

function startMachine({ name }: ClusterNode): void {
  start(name, programs.patroni, [`${name}.yml`])
}

function startPooler(): void {
  start('pgbouncer', programs.pgbouncer, ['-q', 'pgbouncer.ini'])
}

async function kill(name: string): Promise<void> {
  const child = processes.get(name)
  if (!child || child.exitCode !== null || child.signalCode !== null) {
    return
  }

  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Kills Patroni and PostgreSQL, as if their machine had lost power. */
async function killMachine(node: ClusterNode): Promise<void> {
  await kill(node.name)
  killServer(node)
}

function killServer({ dataFolder }: ClusterNode): void {
  const pidFile = path.join(dataFolder, 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  try {
    if (pid > 1) {
      process.kill(pid, 'SIGKILL')
    }
  } catch {
    // The server has ended already.
  }
}

/** Waits until the cluster has a primary and a synchronous standby. Returns the primary. */
async function waitForCompleteCluster(): Promise<ClusterNode> {
  let primary: ClusterNode | undefined
  await waitUntil('the cluster is whole', 90, async () => {
    const nodeByRole = await readNodeByRole()
    primary = nodeByRole.has('sync_standby')
      ? nodes.find(({ name }) => name === nodeByRole.get('leader'))
      : undefined
    return primary !== undefined
  })

  return primary as ClusterNode
}

/**
 * Returns the name of the running node with each role, as the first node that responds reports it.
 */
async function readNodeByRole(): Promise<Map<string, string>> {
  for (const { restPort } of nodes) {
    const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null)
    const cluster: { members: ClusterMember[] } | null =
      (await response?.json().catch(() => null)) ?? null
    if (cluster) {
      const runningMembers = cluster.members.filter(({ state }) =>
        ['running', 'streaming'].includes(state),
      )
      return new Map(runningMembers.map(({ name, role }) => [role, name]))
    }
  }

  return new Map()
}

/** A node of the cluster in a response of Patroni. */
type ClusterMember = { name: string; role: string; state: string }

function createPatroniSettings({ name, port, restPort, dataFolder }: ClusterNode): string {
  return readExampleFile('patroni.yml', [
    ['name: one', `name: ${name}`],
    ['127.0.0.1:8008', `127.0.0.1:${restPort}`],
    ['127.0.0.1:2379', `127.0.0.1:${ports.etcd}`],
    ['127.0.0.1:5432', `127.0.0.1:${port}`],
    ['/var/lib/postgresql/15/learnify', dataFolder],
    ['/usr/lib/postgresql/15/bin', postgresProgramFolder],
    [
      '/var/lib/postgresql/.pgpass-learnify',
      `${dataFolder}.pgpass\n  parameters: { unix_socket_directories: '' }`,
    ],
  ])
}

function createPgbouncerSettings(): string {
  return readExampleFile('pgbouncer.ini', [
    ['port=5432', `port=${ports.database}`],
    ['listen_port = 6432', `listen_port = ${ports.pooler}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', `${folder}/users`],
  ])
}

function createHaproxySettings(): string {
  const nodeReplacements = nodes.map(({ port, restPort }, index): [string, string] => [
    `127.0.0.1:${5432 + index} check port ${8008 + index}`,
    `127.0.0.1:${port} check port ${restPort}`,
  ])
  const productReplacements = productPorts.map((port, index): [string, string] => [
    `127.0.0.1:${3000 + index}`,
    `127.0.0.1:${port}`,
  ])

  return readExampleFile('haproxy.cfg', [
    ...nodeReplacements,
    ...productReplacements,
    ['127.0.0.1:5000', `127.0.0.1:${ports.database}`],
    ['127.0.0.1:8080', `127.0.0.1:${ports.web}`],
  ])
}
