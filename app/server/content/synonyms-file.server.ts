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
        reader.report(file, `\`${phrase}\` has no letters or digits. Delete it: search goes by words.`, [group, index])
      if (seen.has(folded))
        reader.report(file, `\`${phrase}\` appears twice. Put all phrases with the same meaning in one list.`, [
          group,
          index,
        ])
      seen.add(folded)
    }
  }
  return data ?? []
}
