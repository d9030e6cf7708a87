/**
 * An answer as a question's form sends it: places of options for choices and orderings, text
 * otherwise.
 */
export function readFormAnswer(type: string, given: readonly string[]): unknown {
  if (type === 'multiple' || type === 'ordering') {
    return given.map(Number)
  }

  if (type === 'single') {
    return given.length > 0 ? Number(given[0]) : null
  }

  return given[0] ?? null
}

/**
 * An ordering after one item was moved.
 *
 * @param move `2:up` or `2:down`, the item's index and its direction, or `keep`. Invalid or
 * impossible moves change nothing.
 */
export function movedItem(order: readonly number[], move: string): number[] {
  const [, place = '', direction] = /^(\d{1,3}):(up|down)$/.exec(move) ?? []
  const from = Number(place)
  return direction ? withItemAt(order, from, direction === 'up' ? from - 1 : from + 1) : [...order]
}

/** An ordering with the item at `from` taken out and put in at `to`. */
export function withItemAt(order: readonly number[], from: number, to: number): number[] {
  const item = order[from]
  if (item === undefined || to < 0 || to >= order.length) {
    return [...order]
  }

  return order.toSpliced(from, 1).toSpliced(to, 0, item)
}
