/**
 * `node bench/metrics.mjs`: Debian's Prometheus scrapes a running product by both ways in, evaluates the alerts of
 * docs/examples and answers every query of the Grafana dashboard; then the database is halted. Installed by `apt-get install prometheus`.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checklist } from './checklist.mjs'
import { freePort, startProduct } from './product.mjs'

const missing = ['prometheus', 'promtool'].filter((name) => spawnSync(name, ['--version']).status !== 0)
if (missing.length > 0) {
  console.error(`NOT RUN: ${missing.join(' and ')} is missing (apt-get install prometheus).`)
  process.exit(1)
}
const rules = 'docs/examples/learnify.rules.yml'
const token = 'token-of-this-bench-1'
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-metrics-'))
const { check, end } = checklist()
const metricsPort = String(await freePort())
const product = await startProduct({ variables: { METRICS_PORT: metricsPort, METRICS_TOKEN: token } })
const prometheusPort = await freePort()
const prometheus = await startPrometheus()

try {
  await check('promtool finds the alerts valid', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  })
  await check('promtool finds nothing wrong with the metrics', async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })
    assert.equal(answer.status, 200)
    const text = await answer.text()
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  })
  await check('both ways in are scraped with the token: the port of its own, and PORT', async () => {
    for (let turn = 0; turn < 50; turn++) await fetch(`${product.url}/AllCourses?page=${turn}`)
    await fetch(`${product.url}/Profile`)
    await until(async () => {
      const answer = await query('up')
      return answer.length === 2 && answer.every(({ value }) => value[1] === '1')
    })
  })
  await check('without the token there is no such address', async () => {
    assert.equal((await fetch(`${product.url}/metrics`)).status, 404)
  })
  await check('every query of the dashboard is answered, and most have values', async () => {
    const queries = queriesOf(JSON.parse(readFileSync('docs/grafana/learnify.json', 'utf8')))
    await until(async () => (await query('rate(process_cpu_seconds_total[30s])')).length === 2)
    const empty = []
    for (const one of queries) {
      const asked = one.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '30s')
      if ((await query(asked)).length === 0) empty.push(one)
    }
    console.log(`      ${queries.length} queries, ${empty.length} without a value: ${empty.join(' | ')}`)
    assert.ok(empty.length < queries.length / 4)
  })
  await check('Prometheus has loaded the alerts, and none fires', async () => {
    const { data } = await ask('/api/v1/rules')
    assert.equal(data.groups[0].rules.length > 5, true)
    assert.deepEqual(
      data.groups[0].rules.filter(({ health, state }) => health !== 'ok' || state === 'firing'),
      [],
    )
  })
  await check('without its database the scrape goes on and says so', async () => {
    const halted = databaseProcesses()
    for (const pid of halted) process.kill(pid, 'SIGSTOP')
    try {
      await until(async () => (await query('learnify_database_up == 0')).length === 2)
      assert.deepEqual(
        (await query('up')).map(({ value }) => value[1]),
        ['1', '1'],
      )
    } finally {
      for (const pid of halted) process.kill(pid, 'SIGCONT')
    }
    await until(async () => (await query('learnify_database_up == 1')).length === 2)
  })
} finally {
  prometheus.kill('SIGTERM')
  await once(prometheus, 'exit')
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}
end('Prometheus reads what Learnify counts.')

async function startPrometheus() {
  cpSync(rules, path.join(folder, 'learnify.rules.yml'))
  const mainPort = new URL(product.url).port
  writeFileSync(
    path.join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 2s }
rule_files: [learnify.rules.yml]
scrape_configs:
  - job_name: learnify on a port of its own
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['127.0.0.1:${metricsPort}'] }]
  - job_name: learnify
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['127.0.0.1:${mainPort}'] }]
`,
  )
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus', options, { stdio: ['ignore', 'inherit', 'inherit'] })
  await until(async () => (await fetch(`http://127.0.0.1:${prometheusPort}/-/ready`)).ok)
  return child
}

/** The embedded PostgreSQL and the sessions that it has now. */
function databaseProcesses() {
  const [pid = ''] = readFileSync(path.join(product.folder, 'database/cluster/data/postmaster.pid'), 'utf8').split('\n')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [pid, ...children].filter(Boolean).map(Number)
}

async function ask(address) {
  const answer = await (await fetch(`http://127.0.0.1:${prometheusPort}${address}`)).json()
  if (answer.status !== 'success') throw new Error(`${address}: ${answer.error}`)
  return answer
}

/** @param {string} text */
async function query(text) {
  const { data } = await ask(`/api/v1/query?${new URLSearchParams({ query: text })}`)
  return data.result
}

function queriesOf(within) {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([key, value]) => (key === 'expr' ? [value] : queriesOf(value)))
}

async function until(test) {
  for (let tries = 0; tries < 150; tries++) {
    if (await test().catch(() => false)) return
    await delay(200)
  }
  throw new Error(`not within 30 seconds: ${test}`)
}
