import type { Node } from 'libpg-query'
import type { EqualTerms } from './equal-terms'

/** Tables and views: their columns, and which of them says whose a row is; null if none does. */
export type Relations = ReadonlyMap<string, { columns: readonly string[]; learner: string | null }>

/** Something that a query reads from. `terms`: what each of its columns is known as. */
export type Range = { alias: string; terms: Map<string, string | null>; learner: string | null }

/** What one query sees, and what the queries around it see. */
export type Scope = {
  depth: number
  ranges: Range[]
  ctes: Map<string, Result>
  /** Of queries inside of its conditions. */
  learners: string[]
  parent: Scope | null
}

/** What a query gives to the one around it. `learner`: a term for whose rows it read; null if no learner's. */
export type Result = { names: string[]; terms: (string | null)[]; learner: string | null; depth: number }

export function scopeInside(parent: Scope | null): Scope {
  return { depth: (parent?.depth ?? 0) + 1, ranges: [], ctes: new Map(), learners: [], parent }
}

export function findCte(name: string, scope: Scope | null): Result | null {
  return scope && (scope.ctes.get(name) ?? findCte(name, scope.parent))
}

export function rangeOfTable(
  name: string,
  relation: ReturnType<Relations['get']>,
  equal: EqualTerms,
  depth: number,
): Range {
  const columns = relation?.columns ?? []
  const terms = new Map(columns.map((column) => [column, equal.newTerm(`${name}.${column}`, depth)]))
  return { alias: name, terms, learner: relation?.learner ? (terms.get(relation.learner) ?? null) : null }
}

/** Each use is another set of rows, of the same learner only if the query itself asks for one. */
export function rangeOfCte({ names, terms, learner, depth }: Result, equal: EqualTerms, depthOfUse: number): Range {
  const own = learner ? equal.newTerm('learner', depthOfUse) : null
  const renewed = names.map((name, index): [string, string | null] => {
    const term = terms[index] ?? null
    if (term && learner && own && equal.areEqual(term, learner)) return [name, own]
    const outside = term ? equal.findOutside(term, depth) : null
    return [name, outside ?? equal.newTerm(name, depthOfUse)]
  })
  if (learner) equal.unite(own, equal.findOutside(learner, depth))
  return { alias: '', terms: new Map(renewed), learner: own }
}

/** What a row, or a single expression, is known as. */
export function termsOf(node: Node | undefined, scope: Scope, values: readonly unknown[]): (string | null)[] {
  if (node && 'RowExpr' in node) return (node.RowExpr.args ?? []).map((part) => termOf(part, scope, values))
  return [termOf(node, scope, values)]
}

/** @returns what an expression is known as; null for what is neither a column nor a value. */
function termOf(node: Node | undefined, scope: Scope, values: readonly unknown[]): string | null {
  if (!node) return null
  if ('TypeCast' in node) return termOf(node.TypeCast.arg, scope, values)
  if ('ParamRef' in node) return valueTerm(values[(node.ParamRef.number ?? 0) - 1])
  if ('A_Const' in node) return valueTerm(node.A_Const.sval?.sval ?? node.A_Const.ival?.ival)
  if (!('ColumnRef' in node)) return null
  const names = (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? textOf(field) : '*'))
  return findColumn(names.at(-1) ?? '', names.length > 1 ? names.at(-2) : undefined, scope)
}

/** What a query gives by one of its outputs, which a star may make several. */
export function outputsOf(output: Node, scope: Scope, values: readonly unknown[]): [string, string | null][] {
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
  return [[target.name ?? textOf(last), termOf(target.val, scope, values)]]
}

/** The text of a name in a statement; empty for what is none. */
export function textOf(node: Node | undefined): string {
  return node && 'String' in node ? (node.String.sval ?? '') : ''
}

function valueTerm(value: unknown): string | null {
  return value === undefined || value === null ? null : `= ${JSON.stringify(value)}`
}

function findColumn(name: string, alias: string | undefined, scope: Scope | null): string | null {
  if (!scope) return null
  const range = scope.ranges.find((range) => (alias === undefined || range.alias === alias) && range.terms.has(name))
  return range ? (range.terms.get(name) ?? null) : findColumn(name, alias, scope.parent)
}
