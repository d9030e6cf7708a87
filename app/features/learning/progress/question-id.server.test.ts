import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { questionId, questionIdSql } from './question-id.server'

it('the database makes the same id of a question as the rule', async () => {
  const { db } = await createTestDatabase()
  const texts = fc
    .sample(fc.string({ unit: 'binary' }), { numRuns: 300, seed: 20_261_122 })
    .filter((text) => !text.includes('\0'))
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${questionIdSql(sql`text`)} as id
    from jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb) with ordinality as t (text, place) order by place`)

  expect(rows.map(({ id }) => id)).toEqual(texts.map(questionId))
})
