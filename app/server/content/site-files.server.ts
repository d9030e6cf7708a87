import * as z from 'zod'
import { courseCategories, line, slug } from './content-fields'
import type { ContentReader } from './content-reader.server'

/** `content/testimonials.yaml`. */
export const testimonialsFile = z
  .array(z.strictObject({ rating: z.int().min(1).max(5), text: line(1000), name: line(80), role: line(120) }))
  .max(500)

/** `content/synonyms.yaml`, which may be missing: words and phrases that mean the same to a search, a list for each meaning. */
export const synonymsFile = z.array(z.array(line(60)).min(2).max(20)).max(2_000)

/** `content/categories.yaml`: the cards of the home page. `catalogue` is the catalog category they lead to, if any. */
export const categoriesFile = z
  .array(
    z.strictObject({ name: line(60), courses: line(20), icon: slug, catalogue: z.enum(courseCategories).optional() }),
  )
  .max(500)

const synonymsName = 'synonyms.yaml'

/** Reads the search synonyms. @returns an empty list without the file, which is optional. */
export async function readSynonymsFile(reader: ContentReader): Promise<string[][]> {
  if (!reader.has(synonymsName)) return []
  const { data } = await reader.yaml(synonymsName, synonymsFile)
  const seen = new Set<string>()
  for (const [group, phrases] of (data ?? []).entries()) {
    for (const [index, phrase] of phrases.entries()) {
      const folded = phrase.toLowerCase()
      if (!/[\p{L}\p{N}]/u.test(phrase))
        reader.report(synonymsName, `\`${phrase}\` has no letters or digits. Delete it: search goes by words.`, [
          group,
          index,
        ])
      if (seen.has(folded))
        reader.report(synonymsName, `\`${phrase}\` appears twice. Put all phrases with the same meaning in one list.`, [
          group,
          index,
        ])
      seen.add(folded)
    }
  }
  return data ?? []
}
