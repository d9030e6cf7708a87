/** Who had the processors, and who waited for one although there was work: Linux only, /proc/PID/task/TID/schedstat. */
import { readdirSync, readFileSync } from 'node:fs'

/** @returns milliseconds on a processor, milliseconds of waiting for one, and how often it was its turn. */
function threadTimes(pid, thread) {
  try {
    const [onCpu = 0, waited = 0, turns = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
      .split(' ')
      .map(Number)
    return { cpuMs: onCpu / 1e6, waitedMs: waited / 1e6, turns }
  } catch {
    // It has ended.
    return { cpuMs: 0, waitedMs: 0, turns: 0 }
  }
}

const threadsOf = (pid) => readdirSync(`/proc/${pid}/task`)
const statOf = (file) => {
  const text = readFileSync(file, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function sum(times) {
  const none = { cpuMs: 0, waitedMs: 0, turns: 0 }
  return times.reduce(
    (all, one) => ({
      cpuMs: all.cpuMs + one.cpuMs,
      waitedMs: all.waitedMs + one.waitedMs,
      turns: all.turns + one.turns,
    }),
    none,
  )
}

/** The main thread of a process, by which a server answers. */
export const mainThread = (pid) => threadTimes(pid, pid)

/** Its threads of lower priority than the main one: those that hash. */
export function niceThreads(pid) {
  const nicenessOf = (thread) => Number(statOf(`/proc/${pid}/task/${thread}/stat`)[16])
  const nice = threadsOf(pid).filter((thread) => nicenessOf(thread) > nicenessOf(pid))
  return sum(nice.map((thread) => threadTimes(pid, thread)))
}

/** A process with the processes that it started. */
export function processTree(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = all.filter((name) => {
    try {
      return statOf(`/proc/${name}/stat`)[1] === String(pid)
    } catch {
      return false
    }
  })
  return sum([String(pid), ...children].flatMap((one) => threadsOf(one).map((thread) => threadTimes(one, thread))))
}

/** What came to `before` until `after`. */
export function between(before, after) {
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    waitedMs: after.waitedMs - before.waitedMs,
    turns: after.turns - before.turns,
  }
}
