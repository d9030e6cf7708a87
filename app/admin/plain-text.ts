/** Text for a terminal: what people wrote can't move its cursor. */
function oneLine(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are replaced.
  return String(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

/** Rows below the names of their columns; a sentence where there are none. */
export function tableText(rows: readonly Record<string, unknown>[], none: string): string {
  const [first] = rows
  if (!first) return none
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => oneLine(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values of one thing, a line each; those without a value are left out. */
export function factsText(facts: Record<string, unknown>): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`).join('\n')
}

/** Like '2026-11-22 14:05 UTC'. */
export function momentText(moment: Date): string
export function momentText(moment: Date | null): string | null
export function momentText(moment: Date | null): string | null {
  return moment && `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
