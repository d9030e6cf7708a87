import { parse } from 'libpg-query'

type Node = Record<string, unknown>
/** A statement of PostgreSQL's parser: its kind and its fields. */
type Statement = [kind: string, fields: Node]

/** Changes of a table that a version from before them does not notice. */
const widening = ['AT_DropNotNull', 'AT_SetStorage', 'AT_SetStatistics', 'AT_SetRelOptions', 'AT_ValidateConstraint']
/** What adds something new by itself. */
const additions = ['CreateStmt', 'CreateEnumStmt', 'CreateExtensionStmt', 'CommentStmt']

/**
 * Of a migration, the statements that a running former version could fail on, or that rewrite a table that everybody
 * uses. On a table that the same migration makes everything is allowed.
 */
export async function listNarrowing(migration: string): Promise<string[]> {
  const statements = await listStatementsOnOldTables(migration)
  return statements.flatMap(([kind, fields]) => reasonsAgainst(kind, fields))
}

/** Of a migration, the indexes of tables in use that nobody could write to while they are built. */
export async function listBlockingIndexes(migration: string): Promise<string[]> {
  const statements = await listStatementsOnOldTables(migration)
  return statements.flatMap(([kind, fields]) =>
    kind === 'IndexStmt' && !fields.concurrent ? [`${fields.idxname}`] : [],
  )
}

async function listStatementsOnOldTables(migration: string): Promise<Statement[]> {
  const { stmts = [] } = (await parse(migration)) as { stmts?: { stmt: Node }[] }
  const statements = stmts.map(({ stmt }) => Object.entries(stmt)[0] as Statement)
  const made = new Set(statements.filter(([kind]) => kind === 'CreateStmt').map(([, fields]) => tableOf(fields)))
  return statements.filter(([, fields]) => !made.has(tableOf(fields)))
}

function reasonsAgainst(kind: string, fields: Node): string[] {
  const table = tableOf(fields)
  if (additions.includes(kind)) return []
  if (kind === 'IndexStmt') return fields.unique ? [`unique index on ${table}`] : []
  if (kind === 'ViewStmt') return fields.replace ? ['a view is replaced'] : []
  if (kind === 'CreateFunctionStmt') return fields.replace ? ['a function is replaced'] : []
  if (kind === 'AlterEnumStmt') return fields.oldVal ? ['a value of an enum is renamed'] : []
  if (kind === 'DropStmt') return [`drop ${String(fields.removeType).replace('OBJECT_', '').toLowerCase()}`]
  if (kind !== 'AlterTableStmt') return [kind]
  const commands = (fields.cmds as { AlterTableCmd: Node }[]).map(({ AlterTableCmd }) => AlterTableCmd)
  return commands.map(reasonAgainstChange).flatMap((reason) => (reason ? [`${table}: ${reason}`] : []))
}

function reasonAgainstChange(command: Node): string | null {
  const subtype = String(command.subtype)
  if (widening.includes(subtype)) return null
  if (subtype === 'AT_ColumnDefault' && command.def) return null
  if (subtype === 'AT_AddColumn') return reasonAgainstColumn((command.def as { ColumnDef: Node }).ColumnDef)
  const name = command.name ? ` ${command.name}` : ''
  return `${subtype.replace('AT_', '')}${name}`
}

function reasonAgainstColumn(column: Node): string | null {
  const constraints = ((column.constraints ?? []) as { Constraint: Node }[]).map(({ Constraint }) => Constraint.contype)
  const has = (kind: string) => constraints.includes(`CONSTR_${kind}`)
  if (has('NOTNULL') && !has('DEFAULT')) return `column ${column.colname} is required and has no default`
  if (has('GENERATED') || has('IDENTITY')) return `column ${column.colname} rewrites the table`
  if (has('UNIQUE') || has('PRIMARY')) return `column ${column.colname} is unique`
  return null
}

function tableOf(fields: Node): string {
  return String((fields.relation as Node | undefined)?.relname ?? '')
}
