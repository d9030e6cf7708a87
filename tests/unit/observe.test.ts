import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '~/server/operations/metrics/metrics.server'

const metrics = createMetrics({ build: 'test', readOutbox: async () => null }).getMetricsAsArray()
const metricNames = metrics.map(({ name }) => name).sort()
const documentation = readFileSync('docs/observe.md', 'utf8')
const alertRules = readFileSync('docs/examples/learnify.rules.yml', 'utf8')
const dashboard = readFileSync('docs/grafana/learnify.json', 'utf8')

/**
 * Lists the metrics that a query reads. A histogram has three names in queries, but is one metric.
 */
function listQueriedMetrics(query: string): string[] {
  const names = [...query.matchAll(/\b(?:learnify|process|nodejs)_[a-z_]+/g)].map(([name]) => name)
  const metricsOfNames = names.map((name) =>
    name.replace(/_seconds_(bucket|count|sum)$/, '_seconds'),
  )

  return [...new Set(metricsOfNames)].sort()
}

/** Lists the strings under this key in an object and in everything inside the object. */
function listStringsByKey(key: string, json: unknown): string[] {
  if (typeof json !== 'object' || json === null) {
    return []
  }

  return Object.entries(json).flatMap(([name, value]) =>
    name === key && typeof value === 'string' ? [value] : listStringsByKey(key, value),
  )
}

function listUnknownMetrics(names: string[]): string[] {
  return names.filter((name) => !metricNames.includes(name))
}

describe('docs/observe.md', () => {
  it('explains each metric of Learnify, and only metrics that exist', () => {
    const explainedMetrics = [
      ...documentation.matchAll(/^\| `((?:learnify|process|nodejs)_\w+)` \|/gm),
    ].map(([, name = '']) => name)
    const selectOwn = (names: string[]) => names.filter((name) => name.startsWith('learnify_'))

    expect(selectOwn(explainedMetrics).toSorted()).toEqual(selectOwn(metricNames))
    expect(listUnknownMetrics(explainedMetrics)).toEqual([])
  })

  it('says what to do about each alert', () => {
    const alerts = [...alertRules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const explainedAlerts = [...documentation.matchAll(/^\| `(Learnify\w+)` \|/gm)].map(
      ([, name]) => name,
    )

    expect(alerts.length).toBeGreaterThan(0)
    expect(explainedAlerts).toEqual(alerts)
  })
})

it('the alerts query only metrics that exist', () => {
  const queriedMetrics = listQueriedMetrics(alertRules)

  expect(queriedMetrics.length).toBeGreaterThan(0)
  expect(listUnknownMetrics(queriedMetrics)).toEqual([])
})

it('the dashboard shows only metrics that exist', () => {
  const queries = listStringsByKey('expr', JSON.parse(dashboard))
  const queriedMetrics = listQueriedMetrics(queries.join('\n'))

  expect(queriedMetrics.length).toBeGreaterThan(20)
  expect(listUnknownMetrics(queriedMetrics)).toEqual([])
})

it('each metric has a name and a unit that follow the conventions of Prometheus', () => {
  const ownMetrics = (metrics as { name: string; help: string; type: unknown }[]).filter(
    ({ name }) => name.startsWith('learnify_'),
  )

  for (const { name, help, type } of ownMetrics) {
    expect(name).toMatch(/^learnify_[a-z_]+$/)
    expect(help.length).toBeGreaterThan(5)
    if (String(type) === 'counter') {
      expect(name).toMatch(/_total$/)
    }
  }
})
