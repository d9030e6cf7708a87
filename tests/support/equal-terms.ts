/** What a statement says is equal: columns, and values that are asked for. */
export class EqualTerms {
  readonly #parents = new Map<string, string>()

  unite(one: string | null, other: string | null): void {
    if (one === null || other === null) return
    const [root, otherRoot] = [this.#rootOf(one), this.#rootOf(other)]
    if (root !== otherRoot) this.#parents.set(root, otherRoot)
  }

  areEqual(one: string, other: string): boolean {
    return this.#rootOf(one) === this.#rootOf(other)
  }

  /** @returns a term that equals `term` and passes the test. */
  findEqual(term: string, test: (other: string) => boolean): string | null {
    const root = this.#rootOf(term)
    const known = new Set([term, ...this.#parents.keys(), ...this.#parents.values()])
    return [...known].find((other) => test(other) && this.#rootOf(other) === root) ?? null
  }

  #rootOf(term: string): string {
    let root = term
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent
    return root
  }
}
