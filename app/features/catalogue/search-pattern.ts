/** A LIKE pattern that finds `search` anywhere, with the characters that LIKE would read as wildcards taken literally. */
export function searchPattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
}
