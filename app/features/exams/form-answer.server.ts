/** An answer as a question's form sends it: places of options for choices and orderings, text otherwise. */
export function readFormAnswer(type: string, given: readonly string[]): unknown {
  if (type === 'multiple' || type === 'ordering') return given.map(Number)
  if (type === 'single') return given.length > 0 ? Number(given[0]) : null
  return given[0] ?? null
}
