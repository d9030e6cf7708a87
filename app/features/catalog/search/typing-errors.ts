/**
 * How many errors a word of this length may have: one from four letters, two from eight, none if it
 * has a digit.
 */
export function allowedErrors(word: string): number {
  if (/\p{N}/u.test(word)) {
    return 0
  }

  const { length } = [...word]
  if (length >= 8) {
    return 2
  }

  return length >= 4 ? 1 : 0
}

/**
 * Typing errors between two words: letters that are missing, too many or wrong, and swapped
 * neighbors count one each (optimal string alignment).
 *
 * @param most give up beyond it.
 * @returns `most + 1` for everything beyond.
 */
export function countErrors(left: string, right: string, most: number): number {
  const [a, b] = [[...left], [...right]]
  if (Math.abs(a.length - b.length) > most) {
    return most + 1
  }

  let [before, last] = [[] as number[], b.map((_, index) => index)]
  last.push(b.length)
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let errors = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) {
        errors = Math.min(errors, (before[column - 2] ?? 0) + 1)
      }

      now.push(errors)
      least = Math.min(least, errors)
    }

    // A swap reaches back over one row.
    if (least > most && Math.min(...last) > most) {
      return most + 1
    }

    ;[before, last] = [last, now]
  }

  return Math.min(last[b.length] ?? 0, most + 1)
}
