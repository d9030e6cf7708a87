import type { DeleteStmt, InsertStmt, Node, SelectStmt, UpdateStmt } from 'libpg-query'
import { EqualTerms } from './equal-terms'
import {
  findCte,
  outputsOf,
  type Range,
  type Relations,
  type Result,
  rangeOfCte,
  rangeOfTable,
  type Scope,
  scopeInside,
  termsOf,
  textOf,
} from './statement-scope'

/** Reads one statement, and finds where it joins learners. */
export class StatementReader {
  readonly found: string[] = []
  readonly #equal = new EqualTerms()
  readonly #inside = new Map<Node, Result>()

  constructor(
    readonly relations: Relations,
    readonly values: readonly unknown[],
  ) {}

  read(node: Node, parent: Scope | null): Result {
    const scope = scopeInside(parent)
    if ('SelectStmt' in node) return this.#readSelect(node.SelectStmt, scope)
    if ('InsertStmt' in node) return this.#readInsert(node.InsertStmt, scope)
    if ('UpdateStmt' in node) return this.#readChange(node.UpdateStmt, node.UpdateStmt.fromClause, scope)
    if ('DeleteStmt' in node) return this.#readChange(node.DeleteStmt, node.DeleteStmt.usingClause, scope)
    return { names: [], terms: [], learner: null, depth: scope.depth }
  }

  #readInsert(insert: InsertStmt, scope: Scope): Result {
    const { withClause, relation, cols = [], selectStmt, onConflictClause, returningClause } = insert
    this.#readWith(withClause, scope)
    const source = selectStmt ? this.read(selectStmt, scope) : null
    const target = this.#addTable(relation?.relname ?? '', relation?.alias?.aliasname, scope)
    scope.ranges.push({ ...target, alias: 'excluded', learner: null })
    const names = cols.map((column) => ('ResTarget' in column ? (column.ResTarget.name ?? '') : ''))
    const columns = names.length > 0 ? names : [...target.terms.keys()]
    columns.forEach((name, index) => {
      this.#equal.unite(target.terms.get(name) ?? null, source?.terms[index] ?? null)
    })
    return this.#finish(scope, returningClause?.exprs, [onConflictClause], source?.learner ? [source.learner] : [])
  }

  /** An update or a deletion. `beside`: what it reads besides the rows that change. */
  #readChange(change: UpdateStmt | DeleteStmt, beside: Node[] = [], scope: Scope): Result {
    const { withClause, relation, whereClause, returningClause } = change
    this.#readWith(withClause, scope)
    this.#addTable(relation?.relname ?? '', relation?.alias?.aliasname, scope)
    for (const item of beside) this.#readFrom(item, scope)
    this.#readCondition(whereClause, scope)
    const changed = 'targetList' in change ? change.targetList : []
    return this.#finish(scope, returningClause?.exprs, [changed, whereClause])
  }

  #readSelect(select: SelectStmt, scope: Scope): Result {
    this.#readWith(select.withClause, scope)
    if (select.larg && select.rarg) return this.#readSet(select.larg, select.rarg, scope)
    for (const item of select.fromClause ?? []) this.#readFrom(item, scope)
    this.#readCondition(select.whereClause, scope)
    const rows = select.valuesLists ?? []
    const [row] = rows
    const only = rows.length === 1 && row && 'List' in row ? (row.List.items ?? []) : []
    const outputs = rows.length > 0 ? only.map((val): Node => ({ ResTarget: { val } })) : select.targetList
    const { withClause: _with, fromClause: _from, targetList: _targets, ...rest } = select
    return this.#finish(scope, outputs, [rest])
  }

  /** Each arm is answered by itself; what comes out is one learner's in a row if it is in both. */
  #readSet(left: SelectStmt, right: SelectStmt, scope: Scope): Result {
    const arms = [left, right].map((arm) => this.read({ SelectStmt: arm }, scope))
    const own = arms.filter(({ learner }) => learner !== null)
    const [first, second] = own
    if (!first?.learner) return { names: arms[0]?.names ?? [], terms: [], learner: null, depth: scope.depth }
    if (!second?.learner || this.#equal.areEqual(first.learner, second.learner)) return { ...first, depth: scope.depth }
    const learner = this.#equal.newTerm('learner', scope.depth)
    const terms = first.terms.map((_, index) => {
      const both = own.every(
        ({ terms, learner }) => terms[index] && learner && this.#equal.areEqual(terms[index], learner),
      )
      return both ? learner : null
    })
    return { names: first.names, terms, learner, depth: scope.depth }
  }

  #readWith(clause: SelectStmt['withClause'], scope: Scope): void {
    for (const item of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in item)) continue
      const { ctename = '', ctequery, aliascolnames = [] } = item.CommonTableExpr
      if (!ctequery) continue
      if (clause?.recursive && 'SelectStmt' in ctequery && ctequery.SelectStmt.larg) {
        scope.ctes.set(ctename, this.read({ SelectStmt: ctequery.SelectStmt.larg }, scope))
      }
      const result = this.read(ctequery, scope)
      const names = aliascolnames.map(textOf)
      scope.ctes.set(ctename, names.length > 0 ? { ...result, names } : result)
    }
  }

  #readFrom(item: Node, scope: Scope): void {
    if ('RangeVar' in item) {
      this.#addTable(item.RangeVar.relname ?? '', item.RangeVar.alias?.aliasname, scope)
    } else if ('RangeSubselect' in item) {
      const { subquery, alias } = item.RangeSubselect
      if (!subquery) return
      const { names, terms, learner } = this.read(subquery, scope)
      const named = new Map(names.map((name, index) => [name, terms[index] ?? null]))
      scope.ranges.push({ alias: alias?.aliasname ?? '', terms: named, learner })
    } else if ('JoinExpr' in item) {
      const { larg, rarg, quals, usingClause = [], isNatural } = item.JoinExpr
      const before = scope.ranges.length
      if (larg) this.#readFrom(larg, scope)
      const between = scope.ranges.length
      if (rarg) this.#readFrom(rarg, scope)
      if (isNatural) this.found.push('A natural join doesn’t say what is equal.')
      for (const column of usingClause) {
        const name = textOf(column)
        const find = (ranges: Range[]) => ranges.find(({ terms }) => terms.has(name))?.terms.get(name) ?? null
        this.#equal.unite(find(scope.ranges.slice(before, between)), find(scope.ranges.slice(between)))
      }
      this.#readCondition(quals, scope)
      scope.learners.push(...this.#readParts([quals], scope))
    } else {
      scope.ranges.push({ alias: '', terms: new Map(), learner: null })
      scope.learners.push(...this.#readParts([item], scope))
    }
  }

  #addTable(name: string, alias = name, scope: Scope): Range {
    const cte = findCte(name, scope)
    const range = cte
      ? rangeOfCte(cte, this.#equal, scope.depth)
      : rangeOfTable(name, this.relations.get(name), this.#equal, scope.depth)
    const added = { ...range, alias }
    scope.ranges.push(added)
    return added
  }

  /** Only what must be true: nothing below OR or NOT. */
  #readCondition(node: Node | undefined, scope: Scope): void {
    if (!node) return
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const part of node.BoolExpr.args ?? []) this.#readCondition(part, scope)
    } else if ('A_Expr' in node && (node.A_Expr.kind === 'AEXPR_OP' || node.A_Expr.kind === 'AEXPR_NOT_DISTINCT')) {
      const [name] = node.A_Expr.name ?? []
      if (textOf(name) !== '=') return
      this.#uniteRows(node.A_Expr.lexpr, termsOf(node.A_Expr.rexpr, scope, this.values), scope)
    } else if ('SubLink' in node && node.SubLink.subLinkType === 'ANY_SUBLINK' && node.SubLink.subselect) {
      const { terms, learner } = this.#readInside(node.SubLink.subselect, scope)
      if (learner) this.#uniteRows(node.SubLink.testexpr, terms, scope)
    }
  }

  #uniteRows(left: Node | undefined, right: readonly (string | null)[], scope: Scope): void {
    termsOf(left, scope, this.values).forEach((term, index) => {
      this.#equal.unite(term, right[index] ?? null)
    })
  }

  /** Reads every query inside of expressions, and holds all that the scope reads against each other. */
  #finish(scope: Scope, outputs: Node[] | undefined, rest: unknown[], sources: string[] = []): Result {
    const parts = this.#readParts([outputs, ...rest], scope)
    const learners = [...scope.ranges.flatMap(({ learner }) => learner ?? []), ...scope.learners, ...sources, ...parts]
    const [first = null] = learners
    for (const other of learners.slice(1)) {
      if (first && !this.#equal.areEqual(first, other)) this.found.push(`${first} isn’t said to equal ${other}.`)
    }
    const named = (outputs ?? []).flatMap((output) => outputsOf(output, scope, this.values))
    return {
      names: named.map(([name]) => name),
      terms: named.map(([, term]) => term),
      learner: first,
      depth: scope.depth,
    }
  }

  /** @returns the learners of queries inside of expressions. */
  #readParts(parts: unknown, scope: Scope): string[] {
    if (typeof parts !== 'object' || parts === null) return []
    if ('SubLink' in parts) {
      const { subselect, testexpr } = (parts as Extract<Node, { SubLink: unknown }>).SubLink
      const learner = subselect ? this.#readInside(subselect, scope).learner : null
      return [...(learner ? [learner] : []), ...this.#readParts(testexpr, scope)]
    }
    return Object.values(parts).flatMap((part) => this.#readParts(part, scope))
  }

  /** Once, although a condition is read for what it says and for what is inside. */
  #readInside(query: Node, scope: Scope): Result {
    const result = this.#inside.get(query) ?? this.read(query, scope)
    this.#inside.set(query, result)
    return result
  }
}
