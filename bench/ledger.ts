/**
 * Records what the server has acknowledged to learners, and compares it with the database
 * afterwards. Each acknowledged fact has to be stored exactly once, and nothing else may be stored.
 */
import type { Client } from 'pg'
import {
  contradictions,
  type FactKind,
  kindsWithExtraFacts,
  storedFacts,
} from './ledger-queries.ts'

type SentFact = {
  /** Each value that was sent, in order. Null removes the fact. */
  sentValues: (string | null)[]
  /** The number of values that had been sent when the last acknowledgment arrived. */
  acknowledgedCount: number
}

export class Ledger {
  readonly #facts = new Map<FactKind, Map<string, SentFact>>()

  /**
   * Records a value that is about to be sent.
   *
   * @returns the number of values sent for this fact, and a function to call after the
   *   acknowledgment
   */
  recordSent(
    kind: FactKind,
    key: string,
    value: unknown = '',
  ): { acknowledge(): void; revision: number } {
    const facts = this.#facts.get(kind) ?? new Map<string, SentFact>()
    this.#facts.set(kind, facts)
    const fact = facts.get(key) ?? { sentValues: [], acknowledgedCount: 0 }
    facts.set(key, fact)
    const revision = fact.sentValues.push(value === null ? null : toText(value))

    return {
      revision,
      acknowledge() {
        fact.acknowledgedCount = Math.max(fact.acknowledgedCount, revision)
      },
    }
  }

  /** Returns the number of values of a fact that were sent. */
  getRevision(kind: FactKind, key: string): number {
    return this.#facts.get(kind)?.get(key)?.sentValues.length ?? 0
  }

  /** Counts the acknowledged facts of a kind, or of all kinds. */
  countAcknowledged(kind?: FactKind): number {
    const factsByKind = kind ? [this.#facts.get(kind)] : [...this.#facts.values()]
    const facts = factsByKind.flatMap((factsByKey) => [...(factsByKey?.values() ?? [])])
    return facts.filter(({ acknowledgedCount }) => acknowledgedCount > 0).length
  }

  /**
   * Returns a sentence for each kind of fact whose stored values differ from the acknowledged ones.
   */
  async listProblems(database: Client): Promise<string[]> {
    const problems: string[] = []
    for (const [kind, facts] of this.#facts) {
      const { rows } = await database.query(storedFacts[kind])
      problems.push(...compareFacts(kind, facts, rows))
    }

    for (const [contradiction, query] of Object.entries(contradictions)) {
      const { rowCount } = await database.query(query)
      if (rowCount) {
        problems.push(`${contradiction}: ${rowCount} times`)
      }
    }

    return problems
  }
}

/**
 * Compares the facts of one kind with those in the database. Returns a sentence for each problem.
 */
function compareFacts(
  kind: FactKind,
  facts: ReadonlyMap<string, SentFact>,
  rows: readonly { key: string; value: unknown }[],
): string[] {
  const storedKeys = rows.map(({ key }) => key)
  const storedValues = new Map(rows.map(({ key, value }) => [key, toText(value)]))

  const keysByProblem = {
    lost: [...facts.keys()].filter((key) => {
      const fact = facts.get(key)
      return fact && !isPossibleValue(fact, storedValues.get(key) ?? null)
    }),
    'stored twice': listDuplicates(storedKeys),
    'never sent': kindsWithExtraFacts.includes(kind)
      ? []
      : storedKeys.filter((key) => !facts.has(key)),
  }

  return Object.entries(keysByProblem)
    .filter(([, keys]) => keys.length > 0)
    .map(([problem, keys]) => `${kind}: ${keys.length} ${problem}, such as '${keys[0]}'`)
}

function listDuplicates(keys: readonly string[]): string[] {
  const seenKeys = new Set<string>()
  return keys.filter((key) => {
    const isDuplicate = seenKeys.has(key)
    seenKeys.add(key)
    return isDuplicate
  })
}

/**
 * Returns whether the server may have stored this value: the value acknowledged last, or a later
 * one, whose acknowledgment may have been lost.
 */
function isPossibleValue(
  { sentValues, acknowledgedCount }: SentFact,
  storedValue: string | null,
): boolean {
  if (acknowledgedCount === 0) {
    return storedValue === null || sentValues.includes(storedValue)
  }

  const possibleValues = sentValues.slice(acknowledgedCount - 1)
  return possibleValues.includes(storedValue)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
