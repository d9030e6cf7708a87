/**
 * The most words whose sets a search puts together by itself. Reading 500 sets takes some 10 ms, but there are far more
 * pieces than beginnings that fewer words have.
 */
export const unionLimits = { begin: 50, piece: 500 }
type Part = keyof typeof unionLimits

/** Whether a beginning or a piece has a stored set. Every first letter has: all typing begins with one. */
export function isUnion(part: Part, name: string, words: number, limit = unionLimits[part]): boolean {
  return words > limit || (part === 'begin' && name.length === 1)
}

/** No text of a database. */
const halfCharacter = /[\ud800-\udfff]/u

/**
 * The beginnings, or the pieces, whose sets are put together when the index is built. Only what is common is tried with one
 * more letter.
 *
 * @param words sorted, each once.
 */
export function* listUnions(
  words: readonly string[],
  part: Part,
  limit = unionLimits[part],
): Generator<[name: string, words: string[]]> {
  let common: Map<string, string[]> | null = null
  for (let length = 1; ; length++) {
    const found = new Map<string, string[]>()
    for (const word of words) {
      const last = part === 'begin' ? 0 : word.length - length
      for (let at = 0; at <= last; at++) {
        const name = word.slice(at, at + length)
        if (name.length < length || (common && !common.has(name.slice(0, -1)))) continue
        const list = found.get(name)
        if (!list) found.set(name, [word])
        else if (list.at(-1) !== word) list.push(word)
      }
    }
    common = new Map([...found].filter(([name, list]) => isUnion(part, name, list.length, limit)))
    if (common.size === 0) return
    for (const [name, list] of common) if (!halfCharacter.test(name)) yield [name, list]
  }
}
