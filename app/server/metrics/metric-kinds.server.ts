import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Durations, durationBounds } from './durations.server'

type Labels = Record<string, string>
type Value = number | readonly [Labels, number][]
/** What it is now; null leaves it out. */
type Read = () => Value | null | Promise<Value | null>
type ReadDurations = () => [Labels, Pick<Durations, 'counts' | 'sum'>][]

/**
 * The product counts in plain numbers, on every request; these hand them to prom-client, which writes them down, when
 * Prometheus asks.
 */
export function metricKinds(registry: Registry) {
  const registers = [registry]
  return {
    gauge(name: string, help: string, read: Read, labelNames: string[] = []): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const values = pairs(await read())
          this.reset()
          if (values.length === 0 && labelNames.length === 0) this.remove()
          for (const [labels, value] of values) this.set(labels, value)
        },
      })
    },
    counter(name: string, help: string, read: Read, labelNames: string[] = []): void {
      new Counter({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const values = pairs(await read())
          this.reset()
          for (const [labels, value] of values) this.inc(labels, value)
        },
      })
    },
    histogram(name: string, help: string, read: ReadDurations, labelNames: string[] = []): void {
      registry.registerMetric(new PlainHistogram({ name, help, labelNames, read }))
    },
  }
}

function pairs(value: Value | null): readonly [Labels, number][] {
  if (value === null) return []
  return typeof value === 'number' ? [[{}, value]] : value
}

type PlainOptions = { name: string; help: string; labelNames: string[]; read: ReadDurations }

class PlainHistogram extends Histogram {
  readonly #parts: Omit<PlainOptions, 'labelNames'>

  constructor({ read, ...options }: PlainOptions) {
    super({ ...options, registers: [] })
    this.#parts = { ...options, read }
  }

  /** What prom-client writes down, and what its `get` is made of. */
  async getForPromString() {
    const { name, help, read } = this.#parts
    return { name, help, type: 'histogram', values: read().flatMap(([labels, one]) => this.#valuesOf(labels, one)) }
  }

  #valuesOf(labels: Labels, { counts, sum }: Pick<Durations, 'counts' | 'sum'>) {
    const { name } = this.#parts
    let upTo = 0
    const buckets = [...durationBounds, '+Inf'].map((le, place) => {
      upTo += counts[place] ?? 0
      return { metricName: `${name}_bucket`, labels: { ...labels, le: String(le) }, value: upTo }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: upTo },
    ]
  }
}
