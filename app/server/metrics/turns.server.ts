/** Costly work of which only so much is done at once. */
export type Turns = {
  running: number
  waiting: number
  /** How many were sent away since the start. */
  refused: number
}

const all = new Map<string, () => Turns>()

/** @param name of one kind of work, in lower case with hyphens. */
export function watchTurns(name: string, look: () => Turns): void {
  all.set(name, look)
}

export function listTurns(): [name: string, turns: Turns][] {
  return [...all].map(([name, look]) => [name, look()])
}
