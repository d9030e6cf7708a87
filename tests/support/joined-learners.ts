import { type Node, parseSync, type SelectStmt } from 'libpg-query'
import { EqualTerms } from './equal-terms'

/** Tables and views: their columns, and which of them says whose a row is; null if none does. */
export type Relations = ReadonlyMap<string, { columns: readonly string[]; learner: string | null }>

/** Something that a query reads from. `terms`: what each of its columns is known as. */
type Range = { alias: string; terms: Map<string, string | null>; learner: string | null }
type Scope = {
  depth: number
  ranges: Range[]
  ctes: Map<string, Result>
  /** Of queries inside of its conditions. */
  learners: string[]
  parent: Scope | null
}
/** What a query gives to the one around it. `learner`: a term for whose rows it read; null if no learner's. */
type Result = { names: string[]; terms: (string | null)[]; learner: string | null; depth: number }

/**
 * Finds the places of a statement where rows of one learner may meet rows of another one: it joins two relations of
 * learners, or puts one into a part of the other, and doesn't say that the learner is the same.
 *
 * @param values of its parameters: two parameters with the same value are the same learner.
 * @returns a sentence for each; none if the statement can be answered by machines that each hold some learners.
 */
export function listJoinedLearners(statement: string, values: readonly unknown[], relations: Relations): string[] {
  const reader = new StatementReader(relations, values)
  for (const { stmt } of parseSync(statement).stmts ?? []) if (stmt) reader.read(stmt, null)
  return reader.found
}

class StatementReader {
  readonly found: string[] = []
  readonly #equal = new EqualTerms()
  readonly #depths = new Map<string, number>()
  readonly #inside = new Map<Node, Result>()
  #terms = 0

  constructor(
    readonly relations: Relations,
    readonly values: readonly unknown[],
  ) {}

  read(node: Node, parent: Scope | null): Result {
    const scope: Scope = { depth: (parent?.depth ?? 0) + 1, ranges: [], ctes: new Map(), learners: [], parent }
    if ('SelectStmt' in node) return this.#readSelect(node.SelectStmt, scope)
    if ('InsertStmt' in node) {
      const { withClause, relation, cols = [], selectStmt, onConflictClause, returningClause } = node.InsertStmt
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
    if ('UpdateStmt' in node) {
      const { withClause, relation, fromClause = [], whereClause, targetList, returningClause } = node.UpdateStmt
      this.#readWith(withClause, scope)
      this.#addTable(relation?.relname ?? '', relation?.alias?.aliasname, scope)
      for (const item of fromClause) this.#readFrom(item, scope)
      this.#readCondition(whereClause, scope)
      return this.#finish(scope, returningClause?.exprs, [targetList, whereClause])
    }
    if ('DeleteStmt' in node) {
      const { withClause, relation, usingClause = [], whereClause, returningClause } = node.DeleteStmt
      this.#readWith(withClause, scope)
      this.#addTable(relation?.relname ?? '', relation?.alias?.aliasname, scope)
      for (const item of usingClause) this.#readFrom(item, scope)
      this.#readCondition(whereClause, scope)
      return this.#finish(scope, returningClause?.exprs, [whereClause])
    }
    return { names: [], terms: [], learner: null, depth: scope.depth }
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
    const learner = this.#newTerm('learner', scope.depth)
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
      const names = aliascolnames.map((name) => ('String' in name ? (name.String.sval ?? '') : ''))
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
        const name = 'String' in column ? (column.String.sval ?? '') : ''
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
    const range = cte ? this.#rangeOfCte(cte, scope) : this.#rangeOfTable(name, scope)
    const added = { ...range, alias }
    scope.ranges.push(added)
    return added
  }

  #rangeOfTable(name: string, scope: Scope): Range {
    const relation = this.relations.get(name)
    const columns = relation?.columns ?? []
    const terms = new Map(columns.map((column) => [column, this.#newTerm(`${name}.${column}`, scope.depth)]))
    return { alias: name, terms, learner: relation?.learner ? (terms.get(relation.learner) ?? null) : null }
  }

  /** Each use is another set of rows, of the same learner only if the query itself asks for one. */
  #rangeOfCte({ names, terms, learner, depth }: Result, scope: Scope): Range {
    const own = learner ? this.#newTerm('learner', scope.depth) : null
    const fixed = (term: string) => this.#equal.findEqual(term, (other) => this.#depthOf(other) < depth)
    const renewed = names.map((name, index): [string, string | null] => {
      const term = terms[index] ?? null
      if (term && learner && own && this.#equal.areEqual(term, learner)) return [name, own]
      const outside = term ? fixed(term) : null
      return [name, outside ?? this.#newTerm(name, scope.depth)]
    })
    if (learner) this.#equal.unite(own, fixed(learner))
    return { alias: '', terms: new Map(renewed), learner: own }
  }

  /** Only what must be true: nothing below OR or NOT. */
  #readCondition(node: Node | undefined, scope: Scope): void {
    if (!node) return
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const part of node.BoolExpr.args ?? []) this.#readCondition(part, scope)
    } else if ('A_Expr' in node && (node.A_Expr.kind === 'AEXPR_OP' || node.A_Expr.kind === 'AEXPR_NOT_DISTINCT')) {
      const [name] = node.A_Expr.name ?? []
      if (!name || !('String' in name) || name.String.sval !== '=') return
      this.#uniteRows(node.A_Expr.lexpr, this.#termsOf(node.A_Expr.rexpr, scope), scope)
    } else if ('SubLink' in node && node.SubLink.subLinkType === 'ANY_SUBLINK' && node.SubLink.subselect) {
      const { terms, learner } = this.#readInside(node.SubLink.subselect, scope)
      if (learner) this.#uniteRows(node.SubLink.testexpr, terms, scope)
    }
  }

  #uniteRows(left: Node | undefined, right: readonly (string | null)[], scope: Scope): void {
    this.#termsOf(left, scope).forEach((term, index) => {
      this.#equal.unite(term, right[index] ?? null)
    })
  }

  #termsOf(node: Node | undefined, scope: Scope): (string | null)[] {
    if (node && 'RowExpr' in node) return (node.RowExpr.args ?? []).map((part) => this.#termOf(part, scope))
    return [this.#termOf(node, scope)]
  }

  #termOf(node: Node | undefined, scope: Scope): string | null {
    if (!node) return null
    if ('TypeCast' in node) return this.#termOf(node.TypeCast.arg, scope)
    if ('ParamRef' in node) return valueTerm(this.values[(node.ParamRef.number ?? 0) - 1])
    if ('A_Const' in node) return valueTerm(node.A_Const.sval?.sval ?? node.A_Const.ival?.ival)
    if (!('ColumnRef' in node)) return null
    const names = (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? (field.String.sval ?? '') : '*'))
    return findColumn(names.at(-1) ?? '', names.length > 1 ? names.at(-2) : undefined, scope)
  }

  /** Reads every query inside of expressions, and holds all that the scope reads against each other. */
  #finish(scope: Scope, outputs: Node[] | undefined, rest: unknown[], sources: string[] = []): Result {
    const parts = this.#readParts([outputs, ...rest], scope)
    const learners = [...scope.ranges.flatMap(({ learner }) => learner ?? []), ...scope.learners, ...sources, ...parts]
    const [first = null] = learners
    for (const other of learners.slice(1)) {
      if (first && !this.#equal.areEqual(first, other)) this.found.push(`${first} isn’t said to equal ${other}.`)
    }
    const named = (outputs ?? []).flatMap((output) => this.#outputsOf(output, scope))
    return {
      names: named.map(([name]) => name),
      terms: named.map(([, term]) => term),
      learner: first,
      depth: scope.depth,
    }
  }

  #outputsOf(output: Node, scope: Scope): [string, string | null][] {
    const target = 'ResTarget' in output ? output.ResTarget : {}
    const fields = target.val && 'ColumnRef' in target.val ? (target.val.ColumnRef.fields ?? []) : []
    const last = fields.at(-1)
    if (last && 'A_Star' in last) {
      const [owner] = fields
      const alias = fields.length > 1 && owner && 'String' in owner ? owner.String.sval : undefined
      return scope.ranges
        .filter((range) => alias === undefined || range.alias === alias)
        .flatMap(({ terms }) => [...terms])
    }
    const name = target.name ?? (last && 'String' in last ? (last.String.sval ?? '') : '')
    return [[name, this.#termOf(target.val, scope)]]
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

  #newTerm(name: string, depth: number): string {
    const term = `${name} (${++this.#terms})`
    this.#depths.set(term, depth)
    return term
  }

  #depthOf(term: string): number {
    return this.#depths.get(term) ?? 0
  }
}

function valueTerm(value: unknown): string | null {
  return value === undefined || value === null ? null : `= ${JSON.stringify(value)}`
}

function findCte(name: string, scope: Scope | null): Result | null {
  return scope && (scope.ctes.get(name) ?? findCte(name, scope.parent))
}

function findColumn(name: string, alias: string | undefined, scope: Scope | null): string | null {
  if (!scope) return null
  const range = scope.ranges.find((range) => (alias === undefined || range.alias === alias) && range.terms.has(name))
  return range ? (range.terms.get(name) ?? null) : findColumn(name, alias, scope.parent)
}
