import type { ReactNode } from 'react'

type ScreenWidth = 'sm' | 'md' | 'lg'

export type Column<Row> = {
  /** The heading of the column. */
  name: string
  /** Returns the content of a row's cell. */
  cell(row: Row): ReactNode
  /** Whether the column shows numbers, which are aligned to the right. */
  isNumber?: boolean
  /** The narrowest screen that shows the column. Without it, every screen does. */
  showFrom?: ScreenWidth
}

type DataTableProps<Row> = {
  /** The table's name for screen readers. */
  caption: string
  /** The sentence that is shown instead of a table without rows. */
  empty?: string
  /** The columns of the table. The first one names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getRowKey(row: Row): string
}

/** Shows rows as a table. Narrow screens leave out the columns that matter less. */
export function DataTable<Row>({ caption, empty, columns, rows, getRowKey }: DataTableProps<Row>) {
  if (rows.length === 0 && empty) {
    return <p className="card p-5 text-muted">{empty}</p>
  }

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
                className={`whitespace-nowrap font-medium ${getCellClasses(column)}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getRowKey(row)} className="border-line border-t align-top">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th
                    key={column.name}
                    scope="row"
                    className={`min-w-36 font-normal [overflow-wrap:anywhere] ${getCellClasses(column)}`}
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} className={getCellClasses(column)}>
                    {column.cell(row)}
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

const hiddenBelow = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

function getCellClasses<Row>({ isNumber, showFrom }: Column<Row>): string {
  const numberClasses = isNumber ? 'whitespace-nowrap text-right tabular-nums' : ''
  const visibilityClass = showFrom ? hiddenBelow[showFrom] : ''

  return `px-3 py-3 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${numberClasses} ${visibilityClass}`
}
