import { type Turns, watchTurns } from './metrics/turns.server'
import type { Work } from './shedding'

/** The answer is 503 at once: a visitor who waits in a long row is answered no sooner. */
export class TooManyRenderings extends Error {
  override name = 'TooManyRenderings'
}

/** How many pages are made at once. They share one thread, so that more would only make each of them later. */
export class Renderings {
  readonly #most: number
  #count = 0
  #refused = 0

  constructor(most = 64) {
    this.#most = most
  }

  get areFull(): boolean {
    return this.#count >= this.#most
  }

  get turns(): Turns {
    return { running: this.#count, waiting: 0, refused: this.#refused }
  }

  /** @throws {TooManyRenderings} */
  async run<T>(make: () => Promise<T>): Promise<T> {
    if (this.areFull) {
      this.#refused += 1
      throw new TooManyRenderings()
    }
    this.#count += 1
    try {
      return await make()
    } finally {
      this.#count -= 1
    }
  }
}

/** The product's one limit. */
export const renderings = new Renderings()
watchTurns('renderings', () => renderings.turns)

/** What open pages ask for costs a few queries and no rendering, and a class opens its pages at the same moment. */
const dataAnswers = new Renderings(1_024)
watchTurns('data-answers', () => dataAnswers.turns)

export const limitOf = (work: Work) => (work === 'data' ? dataAnswers : renderings)
