/** What a statement says is equal: columns, and values that are asked for. */
export class EqualTerms {
  readonly #parents = new Map<string, string>()
  readonly #depths = new Map<string, number>()

  /** @param depth how many queries stand around the one that it belongs to. */
  newTerm(name: string, depth: number): string {
    const term = `${name} (${this.#depths.size + 1})`
    this.#depths.set(term, depth)
    return term
  }

  unite(one: string | null, other: string | null): void {
    if (one === null || other === null) return
    const [root, otherRoot] = [this.#rootOf(one), this.#rootOf(other)]
    if (root !== otherRoot) this.#parents.set(root, otherRoot)
  }

  areEqual(one: string, other: string): boolean {
    return this.#rootOf(one) === this.#rootOf(other)
  }

  /** @returns a value, or a term of a query around this depth, that equals `term`. */
  findOutside(term: string, depth: number): string | null {
    const root = this.#rootOf(term)
    const known = new Set([term, ...this.#parents.keys(), ...this.#parents.values()])
    return [...known].find((other) => (this.#depths.get(other) ?? 0) < depth && this.#rootOf(other) === root) ?? null
  }

  #rootOf(term: string): string {
    let root = term
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent
    return root
  }
}
