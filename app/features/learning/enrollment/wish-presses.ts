import type { ActionResult } from '~/ui/action-result'

type Answer = ActionResult | undefined

/**
 * Presses of one heart. They are sent one after the other, because two requests at once may arrive in either order, and
 * of those that wait only the last.
 */
export class WishPresses {
  #latest = 0
  /** What the account has as far as is known; null while nothing is on its way. */
  #stored: boolean | null = null
  #line: Promise<unknown> = Promise.resolve()

  /**
   * @param send asks the account to store it; undefined when no answer came.
   * @returns what the account has in the end and what it said, or null when a later press decides.
   */
  async press(
    wished: boolean,
    send: (wished: boolean) => Promise<Answer>,
  ): Promise<{ wished: boolean; answer: Answer } | null> {
    this.#latest += 1
    const mine = this.#latest
    this.#stored ??= !wished
    const sent = this.#line.then(() => (mine === this.#latest ? send(wished) : undefined))
    this.#line = sent
    const answer = await sent
    if (answer?.done) this.#stored = wished
    if (mine !== this.#latest) return null
    const stored = this.#stored
    this.#stored = null
    return { wished: stored, answer }
  }
}
