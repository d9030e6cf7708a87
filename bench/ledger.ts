/**
 * What learners were told is stored, and whether the database has it: nothing lost, nothing twice,
 * nothing else.
 */
import type { Client } from 'pg'

const ofBench = (column: string) =>
  `${column} in (select id from users where email like '%@bench.example')`

/**
 * By kind of fact: a query of what is stored, with a key for each fact and, if it can change, its
 * value.
 */
const storedFacts = {
  account: `select u.email as key, '' as value from users u join identities i on i.user_id = u.id
    where u.email like 'new-%@bench.example'`,
  enrollment: `select concat_ws(' ', uid, course_id) as key, '' as value from enrollments where ${ofBench('uid')}`,
  wish: `select concat_ws(' ', uid, course_id) as key, '' as value from wishes where ${ofBench('uid')}`,
  vote: `select concat_ws(' ', uid, course_id, review_id) as key, '' as value from review_votes where ${ofBench('uid')}`,
  review: `select concat_ws(' ', uid, course_id) as key, rating || ' ' || comment as value from reviews
    where ${ofBench('uid')}`,
  film: `select concat_ws(' ', uid, lesson_id, lower(part) || '-' || upper(part)) as key, '' as value
    from lesson_progress, unnest(watched_ms) part where ${ofBench('uid')}`,
  studied: `select concat_ws(' ', uid, round(extract(epoch from lower(part)) * 1000) || '-'
      || round(extract(epoch from upper(part)) * 1000)) as key, '' as value
    from (select uid, range_agg(part) as parts from study_days, unnest(studied) part where ${ofBench('uid')} group by uid) learner,
      unnest(parts) part`,
  'finished lesson': `select concat_ws(' ', uid, lesson_id) as key, '' as value from lesson_progress
    where ${ofBench('uid')} and mark = 'done'`,
  'quiz answer': `select concat_ws(' ', uid, lesson_id, unnest(answered)) as key, '' as value from lesson_progress
    where ${ofBench('uid')}`,
  note: `select concat_ws(' ', uid, id) as key, body as value from notes where ${ofBench('uid')}`,
  'exam answer': `select concat_ws(' ', a.uid, a.attempt_id, drawn.number) as key, jsonb_build_array(a.revision, a.answer) as value
    from exam_answers a join exam_attempts e on e.uid = a.uid and e.id = a.attempt_id
      join jsonb_array_elements(e.paper) with ordinality as drawn (entry, number)
        on entry->'question'->>'id' = a.question_id
    where ${ofBench('a.uid')}`,
  'exam result': `select concat_ws(' ', uid, id) as key, '' as value from exam_attempts
    where ${ofBench('uid')} and submitted_at is not null and score is not null`,
  location: `select id as key, location as value from users where ${ofBench('id')} and location is not null`,
} as const

export type Kind = keyof typeof storedFacts

/** An exam whose time is over is handed in by itself. */
const mayHaveMore: Kind[] = ['exam result']

/** Queries that find nothing while one thing follows from another, as it has to. */
const contradictions = {
  'an exam has its result without its activity': `select from exam_attempts e where ${ofBench('uid')} and submitted_at is not null
    and not exists (select from activities a where a.uid = e.uid and a.id = 'exam:' || e.id)`,
  'a finished lesson is without its activity': `select from lesson_progress p where ${ofBench('uid')} and mark = 'done'
    and not exists (select from activities a where a.uid = p.uid and a.id = concat_ws(':', 'lesson', p.course_id, p.lesson_id))`,
  'two attempts at one exam are open': `select from exam_attempts where ${ofBench('uid')} and submitted_at is null
    group by uid, course_id having count(*) > 1`,
  'a certificate was earned and not issued': `select from enrollments e where ${ofBench('uid')} and completed_at is not null
    and exists (select from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.passed)
    and not exists (select from certificates c where c.uid = e.uid and c.course_id = e.course_id)`,
  'a certificate is without its achievement': `select from certificates c where ${ofBench('uid')} and not exists
    (select from achievements a where a.uid = c.uid and a.achievement_id = 'first-certificate')`,
  'a certificate in the register belongs to no learner': `select from certificate_register r
    where not exists (select from certificates c where c.id = r.id)`,
}

type SentFact = {
  /** Each value that was sent, in order. Null removes the fact. */
  sent: (string | null)[]
  /** How many values had been sent when the last acknowledgment arrived. */
  acknowledgedCount: number
}

export class Ledger {
  readonly #facts = new Map<Kind, Map<string, SentFact>>()

  /**
   * Records a value that is about to be sent.
   *
   * @returns the number of values sent for this fact, and a function to call after the acknowledgment
   */
  recordSent(
    kind: Kind,
    key: string,
    value: unknown = '',
  ): { acknowledge(): void; revision: number } {
    const facts = this.#facts.get(kind) ?? new Map<string, SentFact>()
    this.#facts.set(kind, facts)
    const fact = facts.get(key) ?? { sent: [], acknowledgedCount: 0 }
    facts.set(key, fact)
    const revision = fact.sent.push(value === null ? null : toText(value))

    return {
      revision,
      acknowledge() {
        fact.acknowledgedCount = Math.max(fact.acknowledgedCount, revision)
      },
    }
  }

  /** Returns how many values of this fact were sent. */
  revision(kind: Kind, key: string): number {
    return this.#facts.get(kind)?.get(key)?.sent.length ?? 0
  }

  /** Counts the acknowledged facts of a kind, or of all kinds. */
  count(kind?: Kind): number {
    const kinds = kind ? [this.#facts.get(kind)] : [...this.#facts.values()]
    return kinds
      .flatMap((facts) => [...(facts?.values() ?? [])])
      .filter(({ acknowledgedCount: acknowledged }) => acknowledged > 0).length
  }

  /** Returns a sentence for each kind of fact whose stored values differ from the acknowledged ones. */
  async listProblems(database: Client): Promise<string[]> {
    const problems: string[] = []
    for (const [kind, facts] of this.#facts) {
      const { rows } = await database.query(storedFacts[kind])
      problems.push(...compareFacts(kind, facts, rows))
    }

    for (const [what, query] of Object.entries(contradictions)) {
      const { rowCount } = await database.query(query)
      if (rowCount) {
        problems.push(`${what}: ${rowCount} times`)
      }
    }

    return problems
  }
}

/** Compares the facts of one kind with those in the database. Returns a sentence for each difference. */
function compareFacts(
  kind: Kind,
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
    'never sent': mayHaveMore.includes(kind) ? [] : storedKeys.filter((key) => !facts.has(key)),
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
 * Returns whether the server may have stored this value: the value acknowledged last, or a later one,
 * whose acknowledgment may have been lost.
 */
function isPossibleValue(
  { sent, acknowledgedCount: acknowledged }: SentFact,
  stored: string | null,
): boolean {
  return acknowledged > 0
    ? sent.slice(acknowledged - 1).includes(stored)
    : stored === null || sent.includes(stored)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
