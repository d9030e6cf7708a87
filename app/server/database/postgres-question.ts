/** What postgres.js gives of its insides, as far as the pool looks at it. */
export type Question = PromiseLike<unknown> & {
  options: QueryOptions
  /** The server works on it; set by postgres.js. */
  active: boolean
  handler(question: Question): void
  resolve(result: unknown): void
  reject(error: unknown): void
}
type Connection = { id: number }
export type QueryOptions = { prepare?: boolean; onexecute?(connection: Connection): boolean }
export type TransactionSql = {
  unsafe(text: string, values?: unknown[], options?: QueryOptions): Question
  savepoint(work: (sql: TransactionSql) => Promise<unknown>): Promise<unknown>
}

/** A prepared statement that this session has not, or has already: the session is shared with others. */
export function isUnknownStatement(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')
}

/** After a failover the old address may lead to the new server, but a connection that stands does not. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006'
}
