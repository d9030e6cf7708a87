import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '~/server/operations/metrics/metrics.server'

const metrics = createMetrics({ build: 'test', readOutbox: async () => null }).getMetricsAsArray()
const known = metrics.map(({ name }) => name).sort()
const documents = readFileSync('docs/observe.md', 'utf8')
const rules = readFileSync('docs/examples/learnify.rules.yml', 'utf8')
const dashboard = readFileSync('docs/grafana/learnify.json', 'utf8')

/** Names as they stand in a query, where a histogram has three of them. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:learnify|process|nodejs)_[a-z_]+/g)].map(([name]) => name)
  return [
    ...new Set(names.map((name) => name.replace(/_seconds_(bucket|count|sum)$/, '_seconds'))),
  ].sort()
}

/** Every `key: value` of an object and what is in it. */
function valuesOf(key: string, within: unknown): string[] {
  if (typeof within !== 'object' || within === null) {
    return []
  }

  return Object.entries(within).flatMap(([name, value]) =>
    name === key && typeof value === 'string' ? [value] : valuesOf(key, value),
  )
}

describe('docs/observe.md', () => {
  it('explains each metric of ours, and no other that there isn’t', () => {
    const rows = [...documents.matchAll(/^\| `((?:learnify|process|nodejs)_\w+)` \|/gm)].map(
      ([, name = '']) => name,
    )
    const ours = (names: string[]) => names.filter((name) => name.startsWith('learnify_'))

    expect(ours(rows).toSorted()).toEqual(ours(known))
    expect(rows.filter((name) => !known.includes(name))).toEqual([])
  })

  it('says of each alert what to do', () => {
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const rows = [...documents.matchAll(/^\| `(Learnify\w+)` \|/gm)].map(([, name]) => name)

    expect(alerts.length).toBeGreaterThan(0)
    expect(rows).toEqual(alerts)
  })
})

it('the alerts ask only for metrics there are', () => {
  const asked = namesIn(rules)

  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((name) => !known.includes(name))).toEqual([])
})

it('the dashboard shows only metrics there are', () => {
  const queries = valuesOf('expr', JSON.parse(dashboard))
  const asked = namesIn(queries.join('\n'))

  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter((name) => !known.includes(name))).toEqual([])
})

it('each metric has a name and a unit by the conventions of Prometheus', () => {
  const ours = (metrics as { name: string; help: string; type: unknown }[]).filter(({ name }) =>
    /^learnify_/.test(name),
  )
  for (const { name, help, type } of ours) {
    expect(name).toMatch(/^learnify_[a-z_]+$/)
    expect(help.length).toBeGreaterThan(5)
    if (String(type) === 'counter') {
      expect(name).toMatch(/_total$/)
    }
  }
})
