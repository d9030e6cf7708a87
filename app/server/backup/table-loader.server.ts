import { listTables, openForLoading, openTableWriter, type Query, type StoredTable } from './stored-tables.server'

/** Fills the tables one after the other, as their rows come. */
export class TableLoader {
  /** Tables of the archive that the product doesn't have: somebody else's. */
  readonly skipped = new Set<string>()
  #known = new Set<string>()
  #writer: { table: StoredTable; to: Awaited<ReturnType<typeof openTableWriter>> } | null = null
  #putReferencesBack = async () => {}

  constructor(private sql: Query) {}

  async open(): Promise<void> {
    const tables = await listTables(this.sql)
    this.#known = new Set(tables.map(({ name }) => name))
    this.#putReferencesBack = await openForLoading(this.sql, tables)
  }

  async write(table: StoredTable, part: Uint8Array): Promise<void> {
    if (!this.#known.has(table.name)) {
      this.skipped.add(table.name)
      return
    }
    if (this.#writer?.table !== table) {
      await this.#writer?.to.end()
      this.#writer = { table, to: await openTableWriter(this.sql, table) }
    }
    await this.#writer.to.write(part)
  }

  async close(): Promise<void> {
    await this.#writer?.to.end()
    await this.#putReferencesBack()
  }
}
