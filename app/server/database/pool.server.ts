import { makePgArray } from 'drizzle-orm/pg-core'
import postgres, { type Sql } from 'postgres'
import { log } from '../log.server'
import { ConnectionWatch } from './connection-watch.server'
import { type LosableTransaction, newTransaction, runInside } from './lost-transaction.server'
import { watchOutage } from './outage.server'
import {
  isReadOnly,
  isUnknownStatement,
  type QueryOptions,
  type Question,
  type TransactionSql,
} from './postgres-question'
import { beginWhenActive, QueryClock, type QueryTurn } from './query-clock.server'
import { readTextArray } from './text-array'

const patienceMs = 8_000
/** A process that is halted in the middle of a transaction keeps its locks this long; in the middle of a question, longer. */
const mostHaltMs = 30_000

const texts = {
  to: 1009,
  from: [1009],
  // Drizzle writes its arrays by itself.
  serialize: (value: unknown) => (Array.isArray(value) ? makePgArray(value) : value),
  parse: readTextArray,
}

/** `patience`: for how long a server may be silent while it is asked something. */
type Settings = { size: number; prepare: boolean; patience?: number }
type Client = {
  sql: Sql
  /** What it still has to answer. */
  open: Set<object>
  retired: boolean
}

/**
 * A pool that outlives every failure of its database. A postgres.js client may hang, or send the end of one transaction
 * into another, once it has lost a connection; so that a client which lost one answers what it was asked before, and
 * another one takes over.
 */
export class Pool {
  readonly #watch: ConnectionWatch
  readonly #clock = new QueryClock()
  readonly #url: string
  readonly #size: number
  #prepare: boolean
  #limitsTransactions = false
  #current: Client
  #ended = false
  /** For drizzle and for tests: asks whichever client is the present one. */
  readonly sql: Sql

  constructor(url: string, { size, prepare, patience = patienceMs }: Settings) {
    this.#watch = new ConnectionWatch(patience)
    this.#url = url
    this.#size = size
    this.#prepare = prepare
    this.#current = this.#open()
    const own: Record<string | symbol, unknown> = { end: this.end.bind(this), options: this.#current.sql.options }
    this.sql = new Proxy(this.#current.sql, {
      get: (_target, key) => own[key] ?? Reflect.get(this.#current.sql, key),
      apply: (_target, _self, parts) => {
        const made = Reflect.apply(this.#current.sql, undefined, parts)
        return made && 'handler' in made ? this.#follow(this.#current, made) : made
      },
    })
  }

  /** Connections at work now, questions that wait for one, and how many connections there may be. */
  get figures() {
    return { inUse: this.#clock.running, waiting: this.#clock.waiting, size: this.#size }
  }

  /** From now on, statements are described each time. */
  stopPreparing(): void {
    if (!this.#prepare) return
    this.#prepare = false
    log.info('A pooler is in front of the database: statements are no longer prepared (DATABASE_PREPARE).')
    this.#replace(this.#current)
  }

  /** From now on, the server ends a transaction that nobody goes on with; no pooler passes the wish on. */
  limitTransactions(): void {
    this.#limitsTransactions = true
    this.#replace(this.#current)
  }

  async end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
    this.#ended = true
    await this.#current.sql.end({ timeout })
  }

  #open(): Client {
    const transactions = new Map<number, LosableTransaction>()
    const options = {
      max: this.#size,
      prepare: this.#prepare,
      // Asking for array types is a query for each connection, whose failure nobody hears; `text[]` is the one in use.
      fetch_types: false,
      types: { texts },
      connect_timeout: patienceMs / 1000,
      backoff: false,
      onnotice: () => {},
      onclose: (id: number) => {
        transactions.get(id)?.lose()
        this.#replace(client)
      },
      socket: this.#watch.openSocket,
      connection: {
        application_name: 'learnify',
        ...(this.#limitsTransactions && { idle_in_transaction_session_timeout: mostHaltMs }),
      },
    }
    const sql = postgres(this.#url, options)
    const client: Client = { sql, open: new Set(), retired: false }
    if (this.#current) takeTypes(sql, this.#current.sql)
    this.#guard(client, transactions)
    return client
  }

  #replace(client: Client): void {
    if (this.#ended || client !== this.#current) return
    this.#current = this.#open()
    client.retired = true
    this.#endRetired(client)
  }

  #endRetired({ sql, open, retired }: Client): void {
    if (retired && open.size === 0) sql.end({ timeout: 1 }).catch(() => {})
  }

  #guard(client: Client, transactions: Map<number, LosableTransaction>): void {
    const { unsafe, begin } = client.sql as unknown as {
      unsafe: TransactionSql['unsafe']
      begin(work: (sql: TransactionSql) => Promise<unknown>): Promise<unknown>
    }
    let beginning: LosableTransaction | null = null
    Object.assign(client.sql, {
      unsafe: (text: string, values: unknown[] = [], options: QueryOptions = {}) => {
        const transaction = beginning
        const { onexecute } = options
        if (transaction && onexecute) {
          options.onexecute = (connection) => {
            transactions.set(connection.id, transaction)
            return onexecute(connection)
          }
        }
        return this.#follow(client, unsafe(text, values, options), transaction)
      },
      begin: (work: (sql: TransactionSql) => Promise<unknown>) => {
        const transaction = newTransaction(this.#clock.ask())
        // It asks for 'begin' before it returns.
        beginning = transaction
        const outcome = begin((sql) => runInside(transaction, sql, work))
        beginning = null
        this.#ask(client, outcome)
        const noteOutage = watchOutage()
        outcome.catch(noteOutage).finally(() => {
          this.#answered(client, outcome)
          transaction.turn.end()
        })
        return outcome
      },
    })
  }

  /** @param transaction that the question begins, and whose turn lasts to its end. */
  #follow<Q extends Question>(client: Client, question: Q, transaction: LosableTransaction | null = null): Q {
    // A pooler gives the session away once a question is answered, and with it what the next one had begun to ask.
    if (!this.#prepare && !transaction) question.options.onexecute ??= () => false
    const { handler, resolve, reject } = question
    let turn: QueryTurn | null = null
    let noteOutage = (_error: unknown) => {}
    return Object.assign(question, {
      handler: (self: Question) => {
        noteOutage = watchOutage()
        this.#ask(client, self)
        if (!transaction) turn = this.#clock.ask()
        handler(self)
        beginWhenActive(self, transaction?.turn ?? turn)
      },
      resolve: (result: unknown) => {
        this.#answered(client, question)
        turn?.end()
        resolve(result)
      },
      reject: (error: unknown) => {
        this.#answered(client, question)
        turn?.end()
        noteOutage(error)
        if (isUnknownStatement(error)) this.stopPreparing()
        if (isReadOnly(error)) this.#replace(client)
        reject(error)
      },
    })
  }

  #ask(client: Client, question: object): void {
    client.open.add(question)
    this.#watch.ask(question)
  }

  #answered(client: Client, question: object): void {
    client.open.delete(question)
    this.#watch.answered(question)
    this.#endRetired(client)
  }
}

/** Drizzle changes how the first client reads and writes moments. */
function takeTypes(to: Sql, from: Sql): void {
  Object.assign(to.options.parsers, from.options.parsers)
  Object.assign(to.options.serializers, from.options.serializers)
}
