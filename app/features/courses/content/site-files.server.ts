import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { env } from '~/server/env.server'
import { findArticleSizeProblem } from '~/server/markdown/article-analysis.server'
import { line, slug } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import privacy from '../../../../content/pages/privacy.md?raw'
import terms from '../../../../content/pages/terms.md?raw'
import type { ContentReader } from './content-reader.server'

/** The format of `content/testimonials.yaml`. */
export const testimonialsSchema = z
  .array(
    z.strictObject({
      rating: z.int().min(1).max(5),
      text: line(1000),
      name: line(80),
      role: line(120),
    }),
  )
  .max(500)

export type Testimonial = z.infer<typeof testimonialsSchema>[number]

/**
 * The format of `content/synonyms.yaml`, an optional file. Each list has words and phrases that
 * mean the same to a search.
 */
export const synonymsSchema = z.array(z.array(line(60)).min(2).max(20)).max(2_000)

/**
 * The format of `content/categories.yaml`. One list has both the categories of the catalog and the
 * cards of the home page.
 */
export const categoriesSchema = z
  .array(
    z.strictObject({
      /** The ID that courses have as their `category`. An entry without it is only a card. */
      id: slug.optional(),
      name: line(60),
      /** The name on the home page, if it differs. False hides the card. */
      card: z.union([line(60), z.literal(false)]).optional(),
      /** The number on the card, like '120+', beside the numbers that Learnify comes with. */
      courses: line(20).optional(),
      /** The name of an icon of Lucide. */
      icon: slug.default('book-open'),
      /** The category to which an entry without `id` leads. */
      catalogue: slug.optional(),
    }),
  )
  .max(250)

export type Category = {
  /** This is null if the entry is only a card. */
  id: string | null
  name: string
  /** The name on the home page; null without a card. */
  card: string | null
  courses: string | null
  icon: string
  /** The category to which the card leads. */
  catalogue: string | null
}

/** The categories of a file that has only cards, as all files had until 2026-11. */
const legacyCategories = ['Technology', 'Design', 'Business', 'Marketing', 'Photography'].map(
  (name): Category => ({
    id: name.toLowerCase(),
    name,
    card: null,
    courses: null,
    icon: 'book-open',
    catalogue: name.toLowerCase(),
  }),
)

const categoriesFile = 'categories.yaml'

/** @returns null if the file has a problem */
export async function readCategories(reader: ContentReader): Promise<Category[] | null> {
  const { data: entries } = await reader.readYamlFile(categoriesFile, categoriesSchema)
  if (!entries) {
    return null
  }

  const listedCategories = entries.map(toCategory)
  const hasIds = listedCategories.some(({ id }) => id !== null)
  const categories = hasIds ? listedCategories : [...listedCategories, ...legacyCategories]

  const checkedIds = new Set<string>()
  const categoryIds = listCategoryIds(categories)
  for (const [index, { id, catalogue }] of entries.entries()) {
    if (id && checkedIds.has(id)) {
      const problem = `The id \`${id}\` appears twice. Give one of them another id.`
      reader.report(categoriesFile, problem, [index, 'id'])
    }

    if (id) {
      checkedIds.add(id)
    }

    if (catalogue && !categoryIds.includes(catalogue)) {
      const problem = describeUnknownCategory('catalogue', catalogue, categoryIds)
      reader.report(categoriesFile, problem, [index, 'catalogue'])
    }
  }

  return categories
}

function toCategory(entry: z.infer<typeof categoriesSchema>[number]): Category {
  const { id = null, name, card = name, courses = null, icon, catalogue = null } = entry
  return {
    id,
    name,
    card: card === false ? null : card,
    courses,
    icon,
    catalogue: id ?? catalogue,
  }
}

export function listCategoryIds(categories: readonly Category[]): string[] {
  return categories.flatMap(({ id }) => id ?? [])
}

/** @param key the key in the file that has the unknown ID */
export function describeUnknownCategory(
  key: string,
  id: string,
  categoryIds: readonly string[],
): string {
  const quotedIds = categoryIds.map((categoryId) => `\`${categoryId}\``).join(', ')
  return `\`${key}\` is '${id}', which categories.yaml doesn’t have.${didYouMean(id, categoryIds)} Use one of ${quotedIds}, or add it there.`
}

const synonymsFile = 'synonyms.yaml'

/** Reads the synonyms for searches. Returns an empty list without the file. */
export async function readSynonyms(reader: ContentReader): Promise<string[][]> {
  if (!reader.hasFile(synonymsFile)) {
    return []
  }

  const { data } = await reader.readYamlFile(synonymsFile, synonymsSchema)
  const synonyms = data ?? []
  const checkedPhrases = new Set<string>()
  const placedPhrases = synonyms.flatMap((phrases, listIndex) =>
    phrases.map((phrase, index) => ({ phrase, yamlPath: [listIndex, index] })),
  )

  for (const { phrase, yamlPath } of placedPhrases) {
    if (!/[\p{L}\p{N}]/u.test(phrase)) {
      const problem = `\`${phrase}\` has no letters or digits. Delete it: search goes by words.`
      reader.report(synonymsFile, problem, yamlPath)
    }

    if (checkedPhrases.has(phrase.toLowerCase())) {
      const problem = `\`${phrase}\` appears twice. Put all phrases with the same meaning in one list.`
      reader.report(synonymsFile, problem, yamlPath)
    }

    checkedPhrases.add(phrase.toLowerCase())
  }

  return synonyms
}

const shippedPages = { terms, privacy }

/**
 * Returns the Markdown of a page that operators may write themselves: their file in
 * `content/pages/` or, without one, the page that comes with Learnify. The file is read at each
 * rendering.
 */
export async function readOperatorPage(
  name: keyof typeof shippedPages,
  folder = env.CONTENT_DIR,
): Promise<string> {
  try {
    return await readFile(path.join(folder, 'pages', `${name}.md`), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return shippedPages[name]
    }

    throw error
  }
}

/** Checks that each file in `content/pages/` can be shown and belongs to a page of the site. */
export async function checkOperatorPages(reader: ContentReader): Promise<void> {
  const pageFiles = Object.keys(shippedPages).map((page) => `${page}.md`)

  for (const name of reader.listNames('pages')) {
    const file = `pages/${name}`
    if (!pageFiles.includes(name)) {
      reader.report(file, `There is no page of this name. Use ${pageFiles.join(' or ')}.`)
      continue
    }

    const text = await reader.readText(file)
    const sizeProblem = text === null ? null : findArticleSizeProblem(text)
    if (sizeProblem) {
      reader.report(file, sizeProblem)
    }
  }
}
