import { Durations } from './durations.server'

/** What addresses without a route of their own count as: nobody can make the list of routes grow. */
export const otherRoute = 'other'

/** The answers of one route with one status. */
export class Answers {
  /** Kept pages, which are sent at once: one increment is all that they may cost. */
  kept = 0
  /** Pages from the store that were asked for by another spelling of their address; `made` has them, too. */
  foundLate = 0
  /** All others, by the time until the answer began. */
  readonly made = new Durations()

  constructor(
    readonly route: string,
    readonly status: number,
  ) {}
}

const all = new Map<string, Map<number, Answers>>()

/** @param route a pattern of the product's own, never an address. */
export function answersOf(route: string, status: number): Answers {
  let byStatus = all.get(route)
  if (!byStatus) {
    byStatus = new Map()
    all.set(route, byStatus)
  }
  let answers = byStatus.get(status)
  if (!answers) {
    answers = new Answers(route, status)
    byStatus.set(status, answers)
  }
  return answers
}

/** Notes an answer that is no kept page. */
export function noteAnswer(route: string, status: number, seconds: number): void {
  answersOf(route, status).made.note(seconds)
}

export function listAnswers(): Answers[] {
  return [...all.values()].flatMap((byStatus) => [...byStatus.values()])
}
