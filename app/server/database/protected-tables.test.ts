import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'

it.each(['operator_acts', 'ledger', 'receipts', 'receipt_files'])(
  'the table %s cannot be emptied by TRUNCATE',
  async (table) => {
    const { db } = await createTestDatabase()
    // CASCADE, because PostgreSQL itself refuses to truncate a table that others refer to.
    await expect(db.execute(sql.raw(`truncate ${table} cascade`))).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^The table \w+ is append-only\.$/) },
    })
  },
)
