import type { ContentReader } from './content-reader.server'
import { synonymsFile } from './site-schema'

const file = 'synonyms.yaml'

/** Reads what means the same to a search. @returns an empty list also when there is no such file, which is fine. */
export async function readSynonymsFile(reader: ContentReader): Promise<string[][]> {
  if (!reader.has(file)) return []
  const { data } = await reader.yaml(file, synonymsFile)
  const seen = new Set<string>()
  for (const [group, phrases] of (data ?? []).entries()) {
    for (const [index, phrase] of phrases.entries()) {
      const folded = phrase.toLowerCase()
      if (!/[\p{L}\p{N}]/u.test(phrase))
        reader.report(file, `\`${phrase}\` has no letter and no digit. Delete it: searches go by words.`, [
          group,
          index,
        ])
      if (seen.has(folded))
        reader.report(file, `\`${phrase}\` stands twice. Put all that mean the same into one list.`, [group, index])
      seen.add(folded)
    }
  }
  return data ?? []
}
