import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { searchWords } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import {
  correctUnknownWords,
  countErrors,
  getAllowedErrors,
  replaceKnownWord,
} from './corrections.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})

/** Stores these words, each with the number of courses that contain it, as the only known words. */
async function storeWords(words: Record<string, number>): Promise<void> {
  await db.execute(sql`delete from search_words`)
  const rows = Object.entries(words).map(([word, courses]) => ({
    word,
    courses,
    anywhere: courses,
  }))

  if (rows.length > 0) {
    await db.insert(searchWords).values(rows)
  }
}

describe('a corrected search', () => {
  it.each([
    ['pyton', ['python']],
    ['web pyhton', ['web python']],
    ['webdevelopment', ['web development']],
    ['pyth ons', ['pythons']],
    ['web deve lopment', ['web development']],
    ['webb pythons', ['web pythons']],
    ['pyth', []],
    ['pyth web', []],
    ['wob', []],
    ['wob python', ['web python']],
    ['python wob', ['python web']],
    ['and pyton web', ['and python web']],
    // The last word may be the beginning of 'anemone', or 'and' with a wrong letter.
    ['python ane', ['python and']],
    ['ane', []],
    // The last word may be incomplete, but it needs no correction to the words that begin with it.
    ['web pytho', []],
    // Nothing is similar to a synonym or to another form of a word, so it stays.
    ['ml pyton', ['ml python']],
    ['pyton ml', ['python ml']],
    ['developing pyton', ['developing python']],
    ['python', []],
    ['', []],
  ])('%j may mean %j', async (typed, meant) => {
    await storeWords({ and: 9, anemone: 1, development: 8, python: 5, pythons: 1, web: 9 })
    expect(await correctUnknownWords(db, typed)).toEqual(meant)
  })

  it('may mean a more common word than one that is known, letters in another order first', async () => {
    await storeWords({ for: 9, form: 2, from: 5, python: 4, pythons: 1 })

    expect(await replaceKnownWord(db, 'python form')).toEqual(['python from', 'python for'])
    expect(await replaceKnownWord(db, 'form pythons')).toEqual([
      'from pythons',
      'for pythons',
      'form python',
    ])

    // The beginning of a word is as common as the word.
    expect(await replaceKnownWord(db, 'form pytho')).toEqual(['from pytho', 'for pytho'])
    expect(await replaceKnownWord(db, 'form')).toEqual([])
  })

  it('is the known word with the fewest errors, in any letters, with swapped letters as one error', async () => {
    const anyWord = fc.string({
      unit: fc.constantFrom('a', 'b', 'ж', '漢'),
      minLength: 4,
      maxLength: 9,
    })

    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyWord, { minLength: 1, maxLength: 30 }),
        anyWord,
        async (words, typed) => {
          await storeWords(Object.fromEntries(words.map((word, index) => [word, index + 1])))
          const allowedErrors = getAllowedErrors(typed)
          const countWordErrors = (word: string) => countErrors(typed, word, allowedErrors)

          const [correction] = await correctUnknownWords(db, typed)

          const isBeginningOfWord = words.some((word) => word.startsWith(typed))
          const similarWords = words.filter((word) => countWordErrors(word) <= allowedErrors)
          if (isBeginningOfWord || similarWords.length === 0) {
            expect(correction).toBeUndefined()
          } else {
            const fewestErrors = Math.min(...similarWords.map(countWordErrors))
            expect(countWordErrors(correction ?? '')).toBe(fewestErrors)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})
