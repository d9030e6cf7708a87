import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { env } from '~/server/env.server'
import { line, slug } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import privacy from '../../../../content/pages/privacy.md?raw'
import terms from '../../../../content/pages/terms.md?raw'
import type { ContentReader } from './content-reader.server'

/** `content/testimonials.yaml`. */
export const testimonialsFile = z
  .array(
    z.strictObject({
      rating: z.int().min(1).max(5),
      text: line(1000),
      name: line(80),
      role: line(120),
    }),
  )
  .max(500)

/**
 * `content/synonyms.yaml`, which may be missing: words and phrases that mean the same to a search,
 * a list for each meaning.
 */
export const synonymsFile = z.array(z.array(line(60)).min(2).max(20)).max(2_000)

/**
 * `content/categories.yaml`: the categories of the catalog, and the cards of the home page, in one
 * list.
 */
export const categoriesFile = z
  .array(
    z.strictObject({
      /** What courses name as their `category`; an entry without it is a card alone. */
      id: slug.optional(),
      name: line(60),
      /** The name on the home page, if it is another; false for no card there. */
      card: z.union([line(60), z.literal(false)]).optional(),
      /** The card's number, like '120+'; left out, the courses are counted. */
      courses: line(20).optional(),
      /** A name of lucide's catalog. */
      icon: slug.default('book-open'),
      /** The category that a card alone leads to. */
      catalogue: slug.optional(),
    }),
  )
  .max(250)

export type Category = {
  /** Null for a card alone. */
  id: string | null
  name: string
  card: string | null
  courses: string | null
  icon: string
  /** The category that the card leads to. */
  catalogue: string | null
}

/** Until 2026-11 a file had cards alone, and these were the categories. */
const formerCategories = ['Technology', 'Design', 'Business', 'Marketing', 'Photography'].map(
  (name) => ({
    id: name.toLowerCase(),
    name,
    card: null,
    courses: null,
    icon: 'book-open',
    catalogue: name.toLowerCase(),
  }),
)

const categoriesName = 'categories.yaml'

/** @returns null if the file has a problem. */
export async function readCategories(reader: ContentReader): Promise<Category[] | null> {
  const { data } = await reader.yaml(categoriesName, categoriesFile)
  if (!data) {
    return null
  }

  const listed = data.map(
    ({ id = null, name, card = name, courses = null, icon, catalogue = null }) => ({
      id,
      name,
      card: card === false ? null : card,
      courses,
      icon,
      catalogue: id ?? catalogue,
    }),
  )
  const categories = listed.some(({ id }) => id !== null)
    ? listed
    : [...listed, ...formerCategories]
  const ids = listCategoryIds(categories)
  for (const [index, { id, catalogue }] of data.entries()) {
    if (id && ids.indexOf(id) !== listCategoryIds(categories.slice(0, index)).length) {
      reader.report(
        categoriesName,
        `The id \`${id}\` appears twice. Give one of them another id.`,
        [index, 'id'],
      )
    }

    if (catalogue && !ids.includes(catalogue)) {
      reader.report(categoriesName, describeUnknownCategory('catalogue', catalogue, ids), [
        index,
        'catalogue',
      ])
    }
  }

  return categories
}

export function listCategoryIds(categories: readonly Category[]): string[] {
  return categories.flatMap(({ id }) => id ?? [])
}

export function describeUnknownCategory(key: string, id: string, ids: readonly string[]): string {
  const known = ids.map((name) => `\`${name}\``).join(', ')
  return `\`${key}\` is '${id}', which categories.yaml doesn’t have.${didYouMean(id, ids)} Use one of ${known}, or add it there.`
}

const synonymsName = 'synonyms.yaml'

/** Reads the search synonyms. @returns an empty list without the file, which is optional. */
export async function readSynonyms(reader: ContentReader): Promise<string[][]> {
  if (!reader.has(synonymsName)) {
    return []
  }

  const { data } = await reader.yaml(synonymsName, synonymsFile)
  const seen = new Set<string>()
  for (const [group, phrases] of (data ?? []).entries()) {
    for (const [index, phrase] of phrases.entries()) {
      const folded = phrase.toLowerCase()
      if (!/[\p{L}\p{N}]/u.test(phrase)) {
        reader.report(
          synonymsName,
          `\`${phrase}\` has no letters or digits. Delete it: search goes by words.`,
          [group, index],
        )
      }

      if (seen.has(folded)) {
        reader.report(
          synonymsName,
          `\`${phrase}\` appears twice. Put all phrases with the same meaning in one list.`,
          [group, index],
        )
      }

      seen.add(folded)
    }
  }

  return data ?? []
}

const shipped = { terms, privacy }

/**
 * CommonMark of a page that the operator writes, read at each rendering.
 *
 * @returns the file in `content/pages/`; without one, Learnify's own.
 */
export async function readOperatorPage(
  name: keyof typeof shipped,
  folder = env.CONTENT_DIR,
): Promise<string> {
  return readFile(path.join(folder, 'pages', `${name}.md`), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') {
      return shipped[name]
    }

    throw error
  })
}

/** Every page can be read and has an address. */
export async function checkOperatorPages(reader: ContentReader): Promise<void> {
  for (const name of reader.list('pages')) {
    const known = Object.keys(shipped).map((page) => `${page}.md`)
    if (known.includes(name)) {
      await reader.text(`pages/${name}`)
    } else {
      reader.report(`pages/${name}`, `There is no page of this name. Use ${known.join(' or ')}.`)
    }
  }
}
