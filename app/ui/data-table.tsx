import type { ReactNode } from 'react'

export type Column<Row> = {
  name: string
  /** The cell of a row. */
  of(row: Row): ReactNode
  /** Numbers stand at the end of their column. */
  isNumber?: boolean
  /** Left out on narrower screens. */
  from?: 'sm' | 'md' | 'lg'
}

const shown = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

type DataTableProps<Row> = {
  /** For screen readers. */
  caption: string
  /** A sentence in place of a table without rows. */
  empty?: string
  /** The first one names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
}

/**
 * Rows of things, each with a name first. On a phone, the columns that matter less are left out.
 */
export function DataTable<Row>({ caption, empty, columns, rows, keyOf }: DataTableProps<Row>) {
  if (rows.length === 0 && empty) {
    return <p className="card p-5 text-muted">{empty}</p>
  }

  const lookOf = ({ isNumber, from }: Column<Row>) =>
    `px-3 py-3 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${isNumber ? 'whitespace-nowrap text-right tabular-nums' : ''} ${from ? shown[from] : ''}`

  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-left">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-muted text-sm">
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={`whitespace-nowrap font-medium ${lookOf(column)}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-line border-t align-top">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th
                    key={column.name}
                    scope="row"
                    className={`min-w-36 font-normal [overflow-wrap:anywhere] ${lookOf(column)}`}
                  >
                    {column.of(row)}
                  </th>
                ) : (
                  <td key={column.name} className={lookOf(column)}>
                    {column.of(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
