/** What PostgreSQL writes for a list of texts. Drizzle's reader loses backslashes. */
export function readTextArray(written: string): (string | null)[] {
  const entries = written.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)
  return [...entries].map(([entry, quoted]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1')
    return entry === 'NULL' ? null : entry
  })
}
