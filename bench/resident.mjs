/** What a process of Linux has in memory. Of PostgreSQL, which runs in processes of its own, nothing. */
import { readFileSync } from 'node:fs'

/** @returns megabytes now and at most so far. */
export function residentOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

/** @returns a sentence that says what the resident memory is, for whoever looks for what grew. */
export function whereMemoryIs(pid) {
  /** @type {Record<string, number>} */
  const kilobytes = {}
  let kind = ''
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const [, access, name] = /^[\da-f]+-[\da-f]+ (\S+) \S+ \S+ \d+\s*(.*)$/.exec(line) ?? []
    if (access !== undefined) kind = kindOf(access, name ?? '')
    const [, resident = 0] = /^Rss:\s+(\d+)/.exec(line) ?? []
    kilobytes[kind] = (kilobytes[kind] ?? 0) + Number(resident)
  }
  const parts = Object.entries(kilobytes).toSorted(([, a], [, b]) => b - a)
  return parts.map(([kind, size]) => `${Math.round(size / 1024)} MB ${kind}`).join(', ')
}

function kindOf(access, name) {
  if (name.startsWith('/')) return 'programs and libraries'
  if (access.includes('x')) return 'compiled code'
  if (name === '[heap]') return 'malloc: bytes of pages, sources'
  return 'JavaScript, threads, large blocks'
}
