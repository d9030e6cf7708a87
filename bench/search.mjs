/**
 * `node bench/search.mjs [SIZES]`: searches, filtered pages and suggestions of a product with 1,000, 100,000 and a million
 * sample courses, each address asked once, one after the other; how long the sample takes to load beside it, and the
 * memory of the product's process. Sizes like `1000,100000` measure only those.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startProduct } from './product.mjs'

const sizes = (process.argv[2] ?? '1000,100000,1000000').split(',').map(Number)
const words = (
  'python,design,management,machine learning,web development,e,in,it,c++,javascript for beginners,the complete,color,photo,' +
  'finance excel,e-mail marketing,advanced sql,portrait lighting,okafor,anna,ing,tion,data analysis in practice,statistics,' +
  'public speaking step by step,film cameras,rust compilers,pyhton,javascrpt,managment,qwxyzk,renbato,lasko,zan,.net,strategy a'
).split(',')
const filters = [
  '',
  'category=design',
  'level=advanced',
  'price=free',
  'language=Spanish&language=French',
  'rating=4.5',
  'length=0-5&price=0-50',
  'category=technology&level=beginner&rating=4.5',
  'skill=Python',
  'sort=rated',
  'sort=price-up',
  'sort=newest',
  'sort=price-down',
]
const pages = words.flatMap((q) => filters.map((filter) => `/AllCourses?q=${encodeURIComponent(q)}&${filter}`))
const filtered = filters.flatMap((one) => filters.map((other) => `/AllCourses?${one}&${other}`))
const typed = words.flatMap((q) =>
  Array.from({ length: q.length }, (_, end) => `/Suggestions?q=${encodeURIComponent(q.slice(0, end + 1))}`),
)

const product = await startProduct()
try {
  for (const size of sizes) {
    const began = performance.now()
    const sample = spawnSync('node', ['scripts/command.mjs', 'content', 'sample', String(size)], {
      env: { ...process.env, ENV_FILE: '/dev/null', DATA_DIR: product.folder },
      encoding: 'utf8',
    })
    if (sample.status !== 0) throw new Error(sample.stderr)
    process.stdout.write(`${size} courses, loaded in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
    await ask(['/AllCourses?q=warm'])
    for (const [name, addresses] of Object.entries({ searches: pages, filtered, suggestions: typed })) {
      const first = `${size}${name}`
      const times = await ask([...new Set(addresses)].map((address) => address))
      report(first, times)
    }
    process.stdout.write(`  memory of the process: ${memoryMegabytes(product.pid)} MB\n`)
  }
} finally {
  await product.stop()
}

/** Milliseconds of each, the slowest last, with its address. */
async function ask(addresses) {
  const times = []
  for (const address of addresses) {
    const began = performance.now()
    const response = await fetch(product.url + address)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
    times.push({ ms: performance.now() - began, address })
  }
  return times.sort((a, b) => a.ms - b.ms)
}

function report(name, times) {
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].ms.toFixed(1)
  const slowest = times.slice(-3).map(({ ms, address }) => `${address} ${ms.toFixed(0)} ms`)
  process.stdout.write(
    `  ${name}: ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; slowest ${slowest.join(', ')}\n`,
  )
}

/** Of the largest process of Node below this one. */
function memoryMegabytes(pid) {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter(Boolean)
  const resident = [pid, ...children].map((one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8')
    return /^Name:\s+(node|MainThread)/m.test(status) ? Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) : 0
  })
  return Math.round(Math.max(...resident) / 1024)
}
